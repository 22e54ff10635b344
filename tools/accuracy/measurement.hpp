// The largest errors of one subject in one dtype over the points that it is given.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "oracle/oracle.hpp"
#include "subject.hpp"
#include "support/wide.hpp"

namespace frit::accuracy {

// By the size of the first operand, but for results below the normal range.
inline constexpr int range_count = 5, subnormal_results = 4;
inline constexpr const char* range_names[range_count] = {"below 2^-10", "to 1", "to 2^10", "above", "subnormal result"};

struct Worst {
  double ulps = -1;  // negative: there was no point
  Point at = {};
};

struct Record {
  std::array<Worst, range_count> ranges;
  std::uint64_t points = 0;
  std::uint64_t special = 0;          // points whose result is a special value
  bool every = false;                 // every number of the dtype was among them
  std::uint64_t failed = 0;           // points beyond the budget, or another special value
  std::vector<std::string> failures;  // the first of them

  Worst worst() const;
  void merge(const Record& other);
};

// A wider function where there is one screens real forms, and MPFR decides what may be beyond 0.8 of the budget, unless the
// screen says that it is clearly less than the largest error so far. In f32 an op without such a function that is not exact is
// screened by its own f64 kernel, but for special values.
template <class T> class Measurement {
 public:
  explicit Measurement(const Subject& subject);

  // A multiple of a block of points; the errors of single ones in `errors` where asked for.
  void add(const Arguments<T>& x, std::vector<double>* errors = nullptr);
  // The same without a screen, of any number of points.
  void add_exactly(Arguments<T> x);

  const Record& record() const { return record_; }
  Record& record() { return record_; }
  const Subject& subject() const { return subject_; }
  std::string screen() const;
  bool has_screen() const { return wide_ != nullptr || by_f64_; }

 private:
  using W = std::conditional_t<sizeof(T) == 8, long double, double>;

  double limit(bool subnormal) const;
  double screened(T got, W exact, T x) const;
  double decide(const Point& x, T re, T im);
  void note(int range, double ulps, const Point& x);
  bool agrees(const test::wide::Function& function, std::string& why) const;

  Subject subject_;
  test::oracle::Question question_;
  test::oracle::Format format_;
  const test::wide::Function* wide_ = nullptr;
  bool by_f64_ = false;
  std::string refused_;
  Record record_;
  std::vector<T> result_[2];
  Arguments<double> f64_;
  std::vector<double> f64_result_[2];
};

}  // namespace frit::accuracy
