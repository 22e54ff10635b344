// Reading csv: names, quoting, line ends, every spelling of a number, ranges.
#include <cfenv>
#include <cmath>

#include "unit/io_images.hpp"

namespace frit::io::test {
namespace {

TEST(IoCsv, NamesValuesAndLineEnds) {
  for (const std::string end : {"\n", "\r\n"}) {
    for (const std::string last : {"", end.c_str(), "\n\n", "\r\n\r\n"}) {
      const std::string text = "a,\"m_{12}, \"\"x\"\"\", \tc d " + end + "1,2,3" + end + " -4.5e-3 ,\"+5\",.5" + last;
      SampleFile file = open_image(text, "data.csv");
      ASSERT_EQ(file.columns().size(), 3u);
      EXPECT_EQ(file.columns()[1].name, "m_{12}, \"x\"");
      EXPECT_EQ(file.columns()[2].name, "c d");
      EXPECT_EQ(file.columns()[0].dtype, DType::f64);
      EXPECT_EQ(file.events(), 2);
      EXPECT_EQ(values_of<double>(file.read("a")), (std::vector<double>{1, -0.0045}));
      EXPECT_EQ(values_of<double>(file.read("m_{12}, \"x\"")), (std::vector<double>{2, 5}));
      EXPECT_EQ(values_of<double>(file.read("c d")), (std::vector<double>{3, 0.5}));
    }
  }
}

TEST(IoCsv, HeaderAloneHasNoEvents) {
  for (const std::string text : {"a,b", "a,b\n", "a,b\r\n\r\n",
                                 "\xEF\xBB\xBF"
                                 "a,b\n"}) {
    SampleFile file = open_image(text, "DATA.CSV");
    EXPECT_EQ(file.events(), 0);
    EXPECT_EQ(file.columns()[0].name, "a");
    EXPECT_EQ(file.read("b").size, 0);
  }
}

TEST(IoCsv, SpecialValuesAndRounding) {
  const std::string text =
      "x\nnan\n-NaN\ninf\n-Infinity\n-0\n1e-400\n-1e-9223372036854775808\n5e-324\n0.1\n9007199254740993\n1."
      "7976931348623157e308\n0.3\n";
  std::vector<double> nearest;
  for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    SampleFile file = open_image(text, "a.csv");
    const std::vector<double> x = values_of<double>(file.read("x"));
    EXPECT_EQ(std::fegetround(), mode);
    std::fesetround(FE_TONEAREST);
    ASSERT_EQ(x.size(), 12u);
    EXPECT_TRUE(std::isnan(x[0]) && std::isnan(x[1]));
    EXPECT_EQ(x[2], INFINITY);
    EXPECT_EQ(x[3], -INFINITY);
    EXPECT_TRUE(x[4] == 0 && std::signbit(x[4]));
    EXPECT_TRUE(x[5] == 0 && !std::signbit(x[5]));
    EXPECT_TRUE(x[6] == 0 && std::signbit(x[6]));
    EXPECT_EQ(x[7], 5e-324);
    EXPECT_EQ(x[8], 0.1);
    EXPECT_EQ(x[9], 9007199254740992.0);
    EXPECT_EQ(x[10], 1.7976931348623157e308);
    EXPECT_EQ(x[11], 0.3);
  }
}

TEST(IoCsv, ComplexColumns) {
  const std::string text = "r,z\n1,1.5-2j\n2,(0.5+1e-3j)\n3,-2J\n4,7\n5,\"nan+infj\"\n6,1e2-1E-2j\n";
  SampleFile file = open_image(text, "a.csv");
  EXPECT_EQ(file.columns()[0].dtype, DType::f64);
  EXPECT_EQ(file.columns()[1].dtype, DType::c128);
  using C = std::complex<double>;
  const std::vector<C> z = values_of<C>(file.read("z"));
  ASSERT_EQ(z.size(), 6u);
  EXPECT_EQ(z[0], C(1.5, -2));
  EXPECT_EQ(z[1], C(0.5, 1e-3));
  EXPECT_EQ(z[2], C(0, -2));
  EXPECT_EQ(z[3], C(7, 0));
  EXPECT_TRUE(std::isnan(z[4].real()) && z[4].imag() == INFINITY);
  EXPECT_EQ(z[5], C(100, -0.01));
  EXPECT_EQ(values_of<double>(file.read("r", 4, 2)), (std::vector<double>{5, 6}));
}

TEST(IoCsv, RangesForwardAndBack) {
  std::string text = "i,square\n";
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + "," + std::to_string(i * i) + "\n";
  SampleFile file = open_image(text, "a.csv");
  EXPECT_EQ(file.events(), 1000);
  for (const std::int64_t chunk : {1, 7, 1000}) {
    for (std::int64_t first = 0; first < 1000; first += chunk) {
      const std::int64_t count = std::min<std::int64_t>(chunk, 1000 - first);
      const std::vector<double> i = values_of<double>(file.read("i", first, count));
      const std::vector<double> square = values_of<double>(file.read("square", first, count));
      ASSERT_EQ(i.size(), static_cast<std::size_t>(count));
      for (std::size_t k = 0; k < i.size(); ++k) {
        EXPECT_EQ(i[k], static_cast<double>(first) + static_cast<double>(k));
        EXPECT_EQ(square[k], i[k] * i[k]);
      }
      file.release(first + count);
    }
  }
  EXPECT_EQ(values_of<double>(file.read("i", 990, 2)), (std::vector<double>{990, 991}));
  EXPECT_EQ(values_of<double>(file.read("i", 3, 1)), (std::vector<double>{3}));
}

TEST(IoCsv, ColumnsThatAreNotSelectedMayHoldAnything) {
  const std::string text = "x,note,y\n1,\"first, j\",2\n3,none,4\n";
  SampleFile file = open_image(text, "a.csv");
  EXPECT_EQ(file.columns()[2].dtype, DType::f64);
  const std::vector<std::string> names = {"x", "y"};
  file.select(names);
  EXPECT_EQ(values_of<double>(file.read("x")), (std::vector<double>{1, 3}));
  EXPECT_EQ(values_of<double>(file.read("y")), (std::vector<double>{2, 4}));
  expect_error(
      ErrorCode::csv_syntax, [&] { file.read("note"); }, "column \"note\"");
}

}  // namespace
}  // namespace frit::io::test
