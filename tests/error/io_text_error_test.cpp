// Damaged csv and parameter files.
#include "io/parameters.hpp"
#include "unit/io_images.hpp"

namespace frit::io::test {
namespace {

void expect_csv(const std::string& text, const std::string& part) {
  expect_error(
      ErrorCode::csv_syntax,
      [&] {
        SampleFile file = open_image(text, "a.csv");
        for (const ColumnInfo& info : file.columns()) file.read(info.name);
      },
      part);
}

TEST(IoCsvError, Header) {
  expect_csv("", "is empty");
  expect_csv("\n\n", "is empty");
  expect_csv("\xEF\xBB\xBF", "is empty");
  expect_csv("1,2.5\n3,4\n", "names of the columns, but it holds numbers only");
  expect_csv("a,,c\n", "line 1, position 3: a column has no name");
  expect_csv("a,\n1,2\n", "a column has no name");
  expect_csv("a,a\n", "the name \"a\" comes twice");
  expect_csv("\"a\n1\n", "the quoted name that begins here has no end");
  expect_csv("a\"b\n", "a quote inside a name");
  expect_csv("\"a\"b\n", "expected a comma or the end of the line");
  expect_csv("a\rb\n", "expected a comma or the end of the line");
  expect_csv("\xFF\n", "no UTF-8");
  expect_csv(std::string("a\0b\n", 4), "no UTF-8");
}

TEST(IoCsvError, Lines) {
  expect_csv("a,b\n1,2\n3\n", "line 3, position 2: the line has 1 values for 2 columns; the value of \"b\" is missing");
  expect_csv("a,b\n1,2,3\n", "line 2, position 4: the line has more values than the 2 columns");
  expect_csv("a,b\n1,\n", "line 2, position 3: no value in column \"b\"");
  expect_csv("a,b\n1,2\n\n3,4\n", "line 3, position 1: no value in column \"a\"");
  expect_csv("a\n1 2\n", "\"1 2\"");
  expect_csv("a\nx\n", "line 2, position 1: \"x\", which is no number, in column \"a\"");
  expect_csv("\"a\nb\"\n1\nx\n", "line 4, position 1: \"x\"");
  expect_csv("a\n1e999\n", "beyond the largest double");
  expect_csv("a\n1e9223372036854775807\n", "beyond the largest double");
  expect_csv("a\n0." + std::string(400, '0') + "1e99999999999999999999\n", "beyond the largest double");
  expect_csv("a\n1+1e999j\n", "beyond the largest double");
  expect_csv("a\n0x10\n", "no number");
  expect_csv("a\n--1\n", "no number");
  expect_csv("a\n+-1\n", "no number");
  expect_csv("a\n1;2\n", "no number");
  expect_csv("a\n1+2\n", "no number");
  expect_csv("a\n1+2jj\n", "no number");
  expect_csv("a\n1j2\n", "no number");
  expect_csv("a\n1\r2\n", "\"1\\x0d2\"");
  expect_csv("a\n\"1\n", "the quoted value that begins here has no end");
  expect_csv("a\n\"1\"2\n", "expected a comma after a quoted value");
  expect_csv("a\n\x1B[31m\n", "\\x1b[31m");
  expect_csv("a\n" + std::string(1000000, 'x'), "...\"");
  expect_csv("a,b,c\n" + std::string(100000, '\n') + "1", "line 2, position 1: no value");
}

void expect_parameters(ErrorCode code, const std::string& text, const std::string& part) {
  expect_error(
      code, [&] { parse_parameters(text, "p.json"); }, part);
}

TEST(IoParametersError, ValuesOfAnotherKind) {
  constexpr ErrorCode kind = ErrorCode::parameter_kind;
  expect_parameters(kind, R"({"a": 1, "b": "x"})",
                    "parameter \"b\" must be a number or a pair [re, im] of numbers, but it is the text \"x\"");
  expect_parameters(kind, R"({"a": null})", "null");
  expect_parameters(kind, R"({"a": true})", "true");
  expect_parameters(kind, R"({"a": {}})", "an object");
  expect_parameters(kind, R"({"a": []})", "an empty array");
  expect_parameters(kind, R"({"a": [1]})", "an array of one number");
  expect_parameters(kind, R"({"a": [1, 2, 3]})", "a third number");
  expect_parameters(kind, R"({"a": [1, "2"]})", "its array holds the text \"2\"");
  expect_parameters(kind, R"({"a": [[1, 2]]})", "its array holds an array");
  expect_parameters(kind, R"({"a": [1, {"b": 2}]})", "its array holds an object");
}

TEST(IoParametersError, NoJson) {
  constexpr ErrorCode syntax = ErrorCode::parameters_syntax;
  expect_parameters(syntax, "", "line 1, column 1");
  expect_parameters(syntax, "[1, 2]", "must hold one object");
  expect_parameters(syntax, "3", "must hold one object");
  expect_parameters(syntax, "{\"a\": NaN}", "line 1, column 7");
  expect_parameters(syntax, "{\"a\": 1,\n \"b\": Infinity}", "line 2, column 7");
  expect_parameters(syntax, "{\"a\": 1,}", "line 1");
  expect_parameters(syntax, "{\"a\": 1} x", "line 1, column 10");
  expect_parameters(syntax, "{\"a\": 1e999}", "number overflow");
  expect_parameters(syntax, "{\"a\": 01}", "line 1");
  expect_parameters(syntax, "{\"\xFF\": 1}", "UTF-8");
  expect_parameters(syntax, "{\"a\": 1, \"a\": 2}", "parameter \"a\" comes twice");
  expect_parameters(syntax, "{\"a\": 1, /* b */ \"c\": 2}", "line 1");
  expect_parameters(syntax, "{\"a\"", "line 1");
  expect_error(
      ErrorCode::file_open, [] { read_parameters("/nonexistent/p.json"); }, "No such file or directory");
}

TEST(IoParametersError, Depth) {
  expect_parameters(ErrorCode::parameter_kind, "{\"a\": " + std::string(10000000, '['), "its array holds an array");
  expect_parameters(ErrorCode::parameters_syntax, std::string(10000000, '['), "must hold one object");
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  expect_parameters(ErrorCode::parameter_kind, objects, "an object");
}

}  // namespace
}  // namespace frit::io::test
