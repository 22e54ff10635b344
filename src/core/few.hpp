// A sequence whose first elements stand in the object itself: small calls must not pay for memory from the heap.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace frit {

template <class T, std::size_t few> class Few {
 public:
  Few() = default;
  explicit Few(std::size_t size) { resize(size); }
  Few(const Few&) = delete;
  Few& operator=(const Few&) = delete;
  ~Few() { clear(); }

  void push_back(T value) {
    if (size_ < few) {
      std::construct_at(&inline_[size_].value, std::move(value));
    } else {
      spill();
      heap_.push_back(std::move(value));
      data_ = heap_.data();
    }
    ++size_;
  }
  void resize(std::size_t size) {
    if (size < size_) clear();
    for (; size_ < size && size_ < few; ++size_) std::construct_at(&inline_[size_].value);
    if (size_ == size) return;
    spill();
    heap_.resize(size);
    data_ = heap_.data();
    size_ = size;
  }
  void clear() {
    if (data_ == &inline_[0].value) {
      for (std::size_t i = 0; i < size_; ++i) std::destroy_at(data_ + i);
    } else {
      heap_.clear();
      data_ = &inline_[0].value;
    }
    size_ = 0;
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

 private:
  void spill() {
    if (data_ != &inline_[0].value) return;
    heap_.reserve(2 * few);
    for (Place& place : inline_) {
      heap_.push_back(std::move(place.value));
      std::destroy_at(&place.value);
    }
  }
  union Place {
    // Not defaulted: the member may be one that a union would not construct.
    Place() {}   // NOLINT(modernize-use-equals-default)
    ~Place() {}  // NOLINT(modernize-use-equals-default)
    T value;
  };
  std::array<Place, few> inline_;
  std::vector<T> heap_;
  std::size_t size_ = 0;
  T* data_ = &inline_[0].value;
};

}  // namespace frit
