#include "graph/exact.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

using frit::ExactNumber;

ExactNumber integer(std::string_view text) {
  ExactNumber n;
  EXPECT_TRUE(ExactNumber::parse_integer(text, n)) << text;
  return n;
}

ExactNumber rational(std::string_view p, std::string_view q) {
  ExactNumber n;
  EXPECT_TRUE(ExactNumber::parse_rational(p, q, n)) << p << "/" << q;
  return n;
}

ExactNumber decimal(std::string_view text) {
  ExactNumber n;
  EXPECT_TRUE(ExactNumber::parse_decimal(text, n)) << text;
  return n;
}

// 2^1024 - 2^970: halfway between the largest double and the next power of two.
constexpr const char* overflow_threshold =
    "1797693134862315807937289714053034150799341327100378269361737789804449682927647509466490179775872070"
    "9633028641669288791094655554785194040263065748867150582068190890200070838367627385484581771153176447"
    "5730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880177904"
    "174497792";

// 2^-1075: halfway between zero and the smallest subnormal double.
constexpr const char* half_of_smallest =
    "2.47032822920623272088284396434110686182529901307162382212792841250337753635104375932649918180817996"
    "1898982823477228588654633283551779698981993873980053909390631503565951557022639229085839244910518443"
    "5931802849936536152500319370457678249219365623669863658480757001585769269903706311928279558551332927"
    "8343384093519780155312465972635795746227664652728272200563740064854999770965994704540208281662262378"
    "5739345073633900796776193057750674017632467360096895134053553745851666113422376667860416215968046191"
    "4467291840300530057530849048765391711386591646239524912623653881879636239373280423891018672348497668"
    "2350898633885879256283027559956575244555072551893136908362547791869486679949683240497058210285131854"
    "51396213837722826145437693412532098591327667236328125e-324";

TEST(Exact, TextIsCanonicalAndReadsBack) {
  const struct {
    ExactNumber number;
    const char* text;
  } cases[] = {
      {integer("0"), "0"},
      {integer("-0"), "0"},
      {integer("+007"), "7"},
      {integer("-9223372036854775808"), "-9223372036854775808"},
      {integer("9223372036854775808"), "9223372036854775808"},
      {integer("-0000000000000000000000000000012"), "-12"},
      {rational("1", "2"), "1/2"},
      {rational("-6", "4"), "-3/2"},
      {rational("6", "-4"), "-3/2"},
      {rational("6", "3"), "2"},
      {rational("0", "5"), "0"},
      {rational("1", "99999999999"), "1/99999999999"},
      {rational("340282366920938463463374607431768211456", "18446744073709551616"), "18446744073709551616"},
      {rational("-340282366920938463463374607431768211456", "55340232221128654848"), "-18446744073709551616/3"},
      {rational("30000000000000000000000000000000000000003", "60000000000000000000000000000000000000006"), "1/2"},
      {decimal("0.1"), "0.1"},
      {decimal("00.1000"), "0.1"},
      {decimal("2"), "2.0"},
      {decimal("-2.50e1"), "-25.0"},
      {decimal("1e-7"), "1e-7"},
      {decimal("0.000012"), "0.000012"},
      {decimal("1e21"), "1e21"},
      {decimal("1.5e300"), "1.5e300"},
      {decimal("0.10000000000000000555"), "0.10000000000000000555"},
      {decimal("123456789012345678901234567890"), "1.2345678901234567890123456789e29"},
      {decimal("0.000"), "0.0"},
      {decimal("-0.0"), "-0.0"},
      {decimal("1e-999999999999"), "1e-999999999999"},
      {decimal("999e999999999998"), "9.99e1000000000000"},
      {decimal("0.00999e-999999999997"), "9.99e-1000000000000"},
      {decimal("inf"), "inf"},
      {decimal("-inf"), "-inf"},
      {decimal("nan"), "nan"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(c.number.text(), c.text);
    ExactNumber back;
    ASSERT_TRUE(ExactNumber::parse_exact(c.text, back)) << c.text;
    EXPECT_EQ(back, c.number) << c.text;
    EXPECT_EQ(back.hash(), c.number.hash()) << c.text;
    EXPECT_EQ(c.number.negated().negated(), c.number) << c.text;
  }
  EXPECT_FALSE(integer("2") == decimal("2"));
}

TEST(Exact, OtherTextIsRefused) {
  ExactNumber n;
  for (const char* text : {"", "-", "+", "1.5", "1e5", "x", "0x10", "1_000", " 1", "1 ", "--1"}) {
    EXPECT_FALSE(ExactNumber::parse_integer(text, n)) << text;
  }
  for (const char* text : {"", ".", "-", "e5", "1e", "1e+", "1.5.2", "0x1p3", "infinity", "1,5", "1 ",
                           "1e99999999999999", "999e999999999999", "0.01e-999999999999"}) {
    EXPECT_FALSE(ExactNumber::parse_decimal(text, n)) << text;
  }
  EXPECT_FALSE(ExactNumber::parse_rational("1", "0", n));
  EXPECT_FALSE(ExactNumber::parse_rational("1", "-000", n));
  EXPECT_FALSE(ExactNumber::parse_rational("1", "x", n));
  const std::string long_digits(ExactNumber::max_rational_digits + 1, '7');
  EXPECT_FALSE(ExactNumber::parse_rational("1", long_digits, n));
}

TEST(Exact, IntegersAndHalves) {
  std::int64_t value = 0;
  EXPECT_TRUE(integer("-12").to_int64(value));
  EXPECT_EQ(value, -12);
  EXPECT_TRUE(integer("-9223372036854775808").to_int64(value));
  EXPECT_EQ(value, std::numeric_limits<std::int64_t>::min());
  EXPECT_TRUE(decimal("2.0").to_int64(value));
  EXPECT_EQ(value, 2);
  EXPECT_TRUE(decimal("3e4").to_int64(value));
  EXPECT_EQ(value, 30000);
  EXPECT_TRUE(decimal("9223372036854775807").to_int64(value));
  EXPECT_EQ(value, std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(decimal("-0.0").to_int64(value));
  EXPECT_EQ(value, 0);
  EXPECT_FALSE(integer("9223372036854775808").to_int64(value));
  EXPECT_FALSE(decimal("9223372036854775808").to_int64(value));
  EXPECT_FALSE(decimal("1e19").to_int64(value));
  EXPECT_FALSE(decimal("0.5").to_int64(value));
  EXPECT_FALSE(decimal("inf").to_int64(value));
  EXPECT_FALSE(rational("1", "2").to_int64(value));

  EXPECT_TRUE(rational("-3", "2").twice_odd(value));
  EXPECT_EQ(value, -3);
  EXPECT_TRUE(decimal("1.5").twice_odd(value));
  EXPECT_EQ(value, 3);
  EXPECT_TRUE(decimal("-0.5").twice_odd(value));
  EXPECT_EQ(value, -1);
  EXPECT_FALSE(decimal("0.25").twice_odd(value));
  EXPECT_FALSE(decimal("2.0").twice_odd(value));
  EXPECT_FALSE(rational("1", "3").twice_odd(value));
  EXPECT_FALSE(integer("3").twice_odd(value));

  EXPECT_TRUE(decimal("-0.0").is_zero());
  EXPECT_TRUE(decimal("-0.0").is_negative());
  EXPECT_TRUE(std::signbit(decimal("-0.0").to_f64()));
  EXPECT_TRUE(integer("-18446744073709551617").is_negative());
  EXPECT_EQ(integer("-9223372036854775808").negated().text(), "9223372036854775808");
  EXPECT_EQ(decimal("0.0").negated().text(), "-0.0");
  EXPECT_EQ(decimal("inf").negated().text(), "-inf");
}

TEST(Exact, HalfwayCasesGoToEven) {
  const double two53 = 9007199254740992.0;
  EXPECT_EQ(integer("9007199254740993").to_f64(), two53);
  EXPECT_EQ(integer("9007199254740995").to_f64(), two53 + 4);
  EXPECT_EQ(integer("-9007199254740993").to_f64(), -two53);
  EXPECT_EQ(rational("18014398509481987", "2").to_f64(), two53 + 2);
  EXPECT_EQ(integer("16777217").to_f32(), 16777216.0f);
  EXPECT_EQ(integer("16777219").to_f32(), 16777220.0f);
  // 1 + 2^-53, and a touch more or less
  EXPECT_EQ(decimal("1.00000000000000011102230246251565404236316680908203125").to_f64(), 1.0);
  EXPECT_EQ(decimal("1.000000000000000111022302462515654042363166809082031250000001").to_f64(), 1.0 + 0x1p-52);
  EXPECT_EQ(decimal("1.00000000000000011102230246251565404236316680908203124").to_f64(), 1.0);
  EXPECT_EQ(decimal("1.00000000000000033306690738754696212708950042724609375").to_f64(), 1.0 + 0x1p-51);
  const std::string zeros(2000, '0');
  EXPECT_EQ(decimal("1.00000000000000011102230246251565404236316680908203125" + zeros + "1").to_f64(), 1.0 + 0x1p-52);
  // Rounding twice, to double and then to float, would give 1 + 2^-23.
  EXPECT_EQ(decimal("1.000000059604644775390625000000000000000001").to_f32(), 1.0f + 0x1p-23f);
  EXPECT_EQ(decimal("1.000000059604644775390625").to_f32(), 1.0f);
  EXPECT_EQ(decimal("1.0000000596046447753906249999999").to_f32(), 1.0f);

  std::string above = half_of_smallest;
  EXPECT_EQ(decimal(above).to_f64(), 0.0);
  above.insert(above.find('e'), "00000000000001");
  EXPECT_EQ(decimal(above).to_f64(), 0x1p-1074);
  EXPECT_EQ(
      decimal(
          "7.00649232162408535461864791644958065640130970938257885878534141944895541342930300743319094181060791015625e-"
          "46")
          .to_f32(),
      0.0f);
  EXPECT_EQ(decimal("7.0064923216240853546186479164495807e-46").to_f32(), 0x1p-149f);

  EXPECT_EQ(integer(overflow_threshold).to_f64(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(integer(overflow_threshold).negated().to_f64(), -std::numeric_limits<double>::infinity());
  std::string below = overflow_threshold;
  --below.back();
  EXPECT_EQ(integer(below).to_f64(), std::numeric_limits<double>::max());
  EXPECT_EQ(rational(below + "0", "10").to_f64(), std::numeric_limits<double>::max());
  EXPECT_EQ(integer("340282356779733661637539395458142568448").to_f32(), std::numeric_limits<float>::infinity());
  EXPECT_EQ(integer("340282356779733661637539395458142568447").to_f32(), std::numeric_limits<float>::max());
}

TEST(Exact, ExtremesCostNothing) {
  EXPECT_EQ(integer(std::string(1'000'000, '9')).to_f64(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(decimal("1e999999999999").to_f64(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(decimal("-1e-999999999999").to_f64(), 0.0);
  EXPECT_TRUE(std::signbit(decimal("-1e-999999999999").to_f64()));
  EXPECT_EQ(decimal("0." + std::string(1'000'000, '0') + "1").to_f64(), 0.0);
  EXPECT_EQ(decimal("1" + std::string(1'000'000, '0') + "e-1000000").to_f64(), 1.0);
  EXPECT_EQ(rational("1" + std::string(9000, '3'), "4" + std::string(9000, '0')).to_f64(), 1.0 / 3);
  EXPECT_TRUE(std::isnan(decimal("nan").to_f64()));
  EXPECT_TRUE(std::isnan(decimal("nan").to_f32()));
  EXPECT_EQ(decimal("-inf").to_f32(), -std::numeric_limits<float>::infinity());
}

TEST(Exact, RandomNumbersAgreeWithTheCLibrary) {
  std::mt19937_64 random(20260101);
  std::string text;
  for (int i = 0; i < 40'000; ++i) {
    text.clear();
    if (random() % 2 == 0) text += '-';
    const std::size_t digits = 1 + random() % (i % 10 == 0 ? 60 : 20);
    for (std::size_t k = 0; k < digits; ++k) text += static_cast<char>('0' + random() % 10);
    if (random() % 2 == 0) text.insert(text.size() - random() % digits, ".");
    const int range = i % 3 == 0 ? 30 : 340;
    text += "e" + std::to_string(static_cast<int>(random() % static_cast<unsigned>(2 * range)) - range);
    const ExactNumber number = decimal(text);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(number.to_f64()),
              std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)))
        << text;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(number.to_f32()),
              std::bit_cast<std::uint32_t>(std::strtof(text.c_str(), nullptr)))
        << text;
    ASSERT_EQ(decimal(number.text()), number) << text;
  }
  for (int i = 0; i < 40'000; ++i) {
    const auto p = static_cast<std::int64_t>(random() >> (11 + random() % 50)) - 1000;
    const auto q = static_cast<std::int64_t>(random() >> (11 + random() % 50)) + 1;
    const ExactNumber number = rational(std::to_string(p), std::to_string(q));
    // One correctly rounded division of two exact doubles.
    ASSERT_EQ(number.to_f64(), static_cast<double>(p) / static_cast<double>(q)) << p << "/" << q;
    if (std::abs(p) < (1 << 24) && q < (1 << 24)) {
      ASSERT_EQ(number.to_f32(), static_cast<float>(p) / static_cast<float>(q)) << p << "/" << q;
    }
    // The same number through the big integers.
    const std::string zeros(40, '0');
    ExactNumber big = rational(std::to_string(p) + zeros, std::to_string(q) + zeros);
    ASSERT_EQ(big, number);
  }
}

TEST(Exact, EveryKindOfDoubleIsItsOwnDecimal) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const ExactNumber exact = ExactNumber::decimal_of(value);
    ASSERT_EQ(exact.to_f64(), value);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(exact.to_f32()), std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  }
}

TEST(Exact, RoundingModeDoesNotMatter) {
  std::vector<ExactNumber> numbers = {integer("9007199254740993"),
                                      rational("1", "3"),
                                      decimal("0.1"),
                                      decimal("1e-310"),
                                      decimal("1e22"),
                                      decimal("1e-30"),
                                      decimal("1.00000000000000011102230246251565404236316680908203125")};
  std::vector<double> f64;
  std::vector<float> f32;
  for (const ExactNumber& n : numbers) {
    f64.push_back(n.to_f64());
    f32.push_back(n.to_f32());
  }
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      EXPECT_EQ(numbers[i].to_f64(), f64[i]) << numbers[i].text();
      EXPECT_EQ(numbers[i].to_f32(), f32[i]) << numbers[i].text();
    }
    EXPECT_EQ(ExactNumber::decimal_of(0.1).text(), "0.1000000000000000055511151231257827021181583404541015625");
  }
  std::fesetround(FE_TONEAREST);
}

}  // namespace
