#include "cli/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace frit::cli {
namespace {

template <class Word> bool same(const std::byte* a, const std::byte* b, std::size_t words, Word infinity) {
  for (std::size_t i = 0; i < words; ++i) {
    Word x, y;
    std::memcpy(&x, a + i * sizeof(Word), sizeof x);
    std::memcpy(&y, b + i * sizeof(Word), sizeof y);
    constexpr Word magnitude = static_cast<Word>(~Word{0}) >> 1;
    if (x != y && !((x & magnitude) > infinity && (y & magnitude) > infinity)) return false;
  }
  return true;
}

}  // namespace

Outputs::Outputs(const Function& function, std::int64_t events) {
  for (std::size_t i = 0; i < function.output_count(); ++i) {
    const DType dtype = function.output_dtype(i);
    const std::size_t bytes = std::max<std::size_t>(size_of(dtype) * static_cast<std::size_t>(events), 64);
    void* const data = ::operator new (bytes, std::align_val_t{64}, std::nothrow);
    if (data == nullptr)
      throw Error(ErrorCode::out_of_memory,
                  fmt::format("no memory for the {} bytes of output '{}'; --chunk computes it in pieces", bytes,
                              function.output_name(i)));
    blocks_.emplace_back(static_cast<std::byte*>(data));
    dtypes_.push_back(dtype);
  }
}

std::vector<OutputView> Outputs::views(std::int64_t events) const { return views(0, events); }

std::vector<OutputView> Outputs::views(std::int64_t first, std::int64_t events) const {
  std::vector<OutputView> views;
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    views.push_back({blocks_[i].get() + static_cast<std::size_t>(first) * size_of(dtypes_[i]), events});
  return views;
}

std::int64_t count_differing(const Outputs& a, const Outputs& b, std::int64_t events) {
  std::int64_t differing = 0;
  for (std::size_t i = 0; i < a.count(); ++i) {
    const DType dtype = a.dtype(i);
    const std::size_t size = size_of(dtype);
    for (std::int64_t event = 0; event < events; ++event) {
      const std::byte* const x = a.data(i) + static_cast<std::size_t>(event) * size;
      const std::byte* const y = b.data(i) + static_cast<std::size_t>(event) * size;
      bool equal = false;
      if (real_of(dtype) == DType::f64) {
        equal = same<std::uint64_t>(x, y, size / 8, 0x7FF0000000000000);
      } else if (real_of(dtype) == DType::f32) {
        equal = same<std::uint32_t>(x, y, size / 4, 0x7F800000);
      } else {
        equal = std::memcmp(x, y, size) == 0;
      }
      differing += equal ? 0 : 1;
    }
  }
  return differing;
}

}  // namespace frit::cli
