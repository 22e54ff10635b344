// The arguments of a call of a traced function.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "arrays/value.hpp"
#include "core/few.hpp"

namespace frit::arrays {

// Of each argument what makes another program, whatever its extents.
struct ArgumentKind {
  DType dtype = DType::f64;
  bool weak = false;
  int rank = 0;
  friend bool operator==(const ArgumentKind&, const ArgumentKind&) = default;
};

// The arguments of a call: of arrays where their elements stand, of C++ numbers copies in the object itself.
class Arguments {
 public:
  explicit Arguments(std::size_t count) : data_(count), kinds_(count) {}

  void set(std::size_t i, const Value& value) {
    data_[i] = &value.data;
    kinds_[i] = {value.type.dtype, value.type.weak, value.type.rank};
  }
  void set(std::size_t i, const Operand& number) {
    prepare_numbers();
    write_number(number_of(number), bytes_[i].data());
    set(i, default_dtype(number.kind), true);
  }
  // A number in the dtype that a signature says. Errors: trace_arguments, integer_domain where it does not fit.
  void convert(std::size_t i, DType wanted, const Workers& workers) {
    prepare_numbers();
    std::array<std::byte, 16> to{};
    check_conversion(kinds_[i].dtype, wanted);
    if (is_integer(wanted) && kinds_[i].dtype != DType::boolean) {
      if (!is_integer(kinds_[i].dtype))
        throw Error(
            ErrorCode::trace_arguments,
            fmt::format("argument {} is a floating-point number, and the signature says {}", i, name_of(wanted)));
      std::int64_t value = 0;
      std::memcpy(&value, data_[i]->at, sizeof value);
      check_fits(value, wanted);
    }
    Data result;
    result.dtype = wanted;
    result.at = to.data();
    frit::arrays::convert(*data_[i], result, workers);
    bytes_[i] = to;
    set(i, wanted, false);
  }
  // For the callable itself: numbers as arrays that outlive the call.
  std::vector<Array> arrays(std::span<const Operand> operands, const std::shared_ptr<Engine::Impl>& engine) const {
    std::vector<Array> result;
    for (std::size_t i = 0; i < data_.size(); ++i) {
      const bool given = operands[i].kind == Operand::Kind::array && &Access::value(operands[i].array).data == data_[i];
      result.push_back(given ? operands[i].array
                             : frit::arrays::eager(engine, frit::arrays::copy_of(*data_[i]), kinds_[i].weak));
    }
    return result;
  }
  std::span<const ArgumentKind> kinds() const { return kinds_; }
  std::span<const Data* const> data() const { return data_; }
  std::vector<Type> types() const {
    std::vector<Type> types;
    for (std::size_t i = 0; i < data_.size(); ++i) types.push_back(type_of(*data_[i], kinds_[i].weak));
    return types;
  }

 private:
  void prepare_numbers() {
    if (numbers_.size() != 0) return;
    numbers_.resize(data_.size());
    bytes_.resize(data_.size());
  }
  void set(std::size_t i, DType dtype, bool weak) {
    numbers_[i].dtype = dtype;
    numbers_[i].at = bytes_[i].data();
    data_[i] = &numbers_[i];
    kinds_[i] = {dtype, weak, 0};
  }
  static constexpr std::size_t few = 6;
  Few<Data, few> numbers_;
  Few<std::array<std::byte, 16>, few> bytes_;
  Few<const Data*, few> data_;
  Few<ArgumentKind, few> kinds_;
};

}  // namespace frit::arrays
