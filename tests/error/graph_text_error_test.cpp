// Text that is no graph: one error with line, column and what was expected, for each thing that can be wrong.
#include <gtest/gtest.h>

#include "frit/error.hpp"
#include "graph/graph.hpp"
#include "support/random_graph.hpp"

namespace frit {
namespace {

const std::string good =
    "frit graph 1 f64\n"
    "%0 = argument \"x\" : f64 column\n"
    "%1 = argument \"z\" : c128 parameter\n"
    "%2 = constant 0x1.8p+1 : f64 constant\n"
    "%3 = multiply(%0, %1) : c128 column\n"
    "%4 = add(%0, %2) : f64 column\n"
    "output \"output\" = %4\n";

std::string message_of(const std::string& text) {
  try {
    (void)parse_graph(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::graph_text) << error.what();
    return error.message();
  }
  return "no error";
}

// `good` with the first `from` replaced.
std::string with(std::string_view from, std::string_view to) {
  std::string text = good;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

struct Row {
  std::string_view from, to;
  std::string_view place;  // "line 4, column 6"
  std::string_view says;
};

constexpr Row rows[] = {
    {"frit graph 1 f64\n", "", "line 1, column 1", "expected the header"},
    {"graph 1", "graph 2", "line 1, column 12", "version \"2\" of the text form is not known here; this is version 1"},
    {"1 f64", "1 c128", "line 1, column 14", "the dtype of a graph is f64 or f32"},
    {"1 f64", "1 f65", "line 1, column 14", "no dtype \"f65\"; did you mean 'f64'?"},
    {"f64\n", "f64 \n", "line 1, column 17", "expected the end of the line"},
    {"f64\n", "f64\r\n", "line 1, column 17", "expected the end of the line"},
    {"%0 =", "%1 =", "line 2, column 1", "expected %0, found %1"},
    {"%0 =", "%00 =", "line 2, column 1", "expected a node"},
    {"%0 =", "%99999999999 =", "line 2, column 1", "expected a node"},
    {"= arg", "= \targ", "line 2, column 6", "no op \"\""},
    {"argument \"x\"", "argument x", "line 2, column 15", "expected \"\\\"\", found \"x : f64 column\""},
    {"argument \"x\"", "argument \"x", "line 2, column 15", "the name has no closing quote"},
    {"argument \"x\"", "argument \"\\q\"", "line 2, column 17", "an escape is"},
    {"argument \"x\"", "argument \"\\x4\"", "line 2, column 18", "an escape is"},
    {"argument \"x\"", "argument \"\\x41\"", "line 2, column 15", "its one form is \"A\""},
    {"argument \"x\"", "argument \"\xff\"", "line 2, column 15", "its one form is \"\\xff\""},
    {"argument \"z\"", "argument \"x\"", "line 3, column 15", "two arguments are named \"x\""},
    {"f64 column\n%1", "f64 row\n%1", "line 2, column 25",
     "no role \"row\"; there are 'constant', 'parameter', 'column'"},
    {"f64 column\n%1", "f64 colum\n%1", "line 2, column 25", "did you mean 'column'?"},
    {"f64 column\n%1", "f64 constant\n%1", "line 2, column 6", "an argument is a parameter or a column"},
    {"f64 column\n%1", "f32 column\n%1", "line 2, column 21", "an argument of this graph is f64 or c128, not f32"},
    {"f64 column\n%1", "bool column\n%1", "line 2, column 21", "an argument of this graph is f64 or c128, not bool"},
    {"0x1.8p+1", "3.0", "line 4, column 15", "expected a number: exact hexadecimal"},
    {"0x1.8p+1", "0x3p+0", "line 4, column 15", "the number is not in its one form, which is 0x1.8p+1"},
    {"0x1.8p+1", "0x1.80p+1", "line 4, column 15", "its one form, which is 0x1.8p+1"},
    {"0x1.8p+1", "+inf", "line 4, column 15", "expected a number"},
    {"0x1.8p+1", "-nan", "line 4, column 15", "expected a number"},
    {"0x1.8p+1", "--0x1p+1", "line 4, column 15", "expected a number"},
    {"0x1.8p+1", "0x1p+9999", "line 4, column 15", "expected a number"},
    {"0x1.8p+1", "0x-1p+1", "line 4, column 15", "expected a number"},
    {"0x1.8p+1", "(0x1.8p+1)", "line 4, column 24", "expected \", \""},
    {"0x1.8p+1", "true", "line 4, column 19", "expected \" : bool constant\""},
    {"f64 constant", "f64 column", "line 4, column 23", "expected \" : f64 constant\""},
    {"multiply(", "multiple(", "line 5, column 6", "no op \"multiple\"; did you mean 'multiply'?"},
    {"multiply(", "square(", "line 5, column 6", "square is a composite op: a graph holds what it expands to"},
    {"(%0, %1)", "(%0)", "line 5, column 6", "multiply takes 2 operands, not 1"},
    {"(%0, %1)", "()", "line 5, column 15", "expected \"%\""},
    {"(%0, %1)", "(%0,%1)", "line 5, column 17", "expected \")\""},
    {"(%0, %1)", "(%0, %1, %1, %1)", "line 5, column 27", "multiply takes 2 operands"},
    {"(%0, %1)", "(%0, %3)", "line 5, column 19", "%3 does not come before %3, which uses it"},
    {"multiply(", "minimum(", "line 5, column 6", "minimum does not take complex operands (f64, c128)"},
    {"multiply(%0, %1)", "bitwise_and(%0, %0)", "line 5, column 6",
     "bitwise_and does not take operands of dtypes f64, f64"},
    {"multiply(%0, %1) : c128", "multiply(%0, %1) : f64", "line 5, column 25",
     "the node is c128 column, not f64 column"},
    {"c128 column\n", "c128 parameter\n", "line 5, column 25", "the node is c128 column, not c128 parameter"},
    {"add(%0, %2)", "add(%2, %0)", "line 6, column 6", "add is commutative: the operand of the smaller id comes first"},
    {"add(%0, %2) : f64", "multiply(%0, %1) : c128", "line 6, column 6", "the node is %3 again; use that one"},
    {"output \"output\" = %4\n", "", "line 7, column 1", "a graph has at least one output"},
    {"output \"output\" = %4", "output \"output\" = %5", "line 7, column 19", "there is no node %5"},
    {"= %4\n", "= %4", "line 7, column 21",
     "expected the end of the line (a newline, no spaces before it), found the end of the text"},
    {"= %4\n", "= %4\n\n", "line 8, column 1", "expected \"output \", found the end of the line"},
    {"= %4\n", "= %4\n%5 = exp(%0) : f64 column\n", "line 8, column 1",
     "expected \"output \", found \"%5 = exp(%0) : f64 colum\""},
};

TEST(GraphTextError, TheTextThatTheRowsBreakIsGood) { EXPECT_EQ(message_of(good), "no error"); }

TEST(GraphTextError, EachFaultHasItsPlaceAndItsWords) {
  for (const Row& row : rows) {
    const std::string message = message_of(with(row.from, row.to));
    EXPECT_NE(message.find("graph text, " + std::string(row.place) + ": "), std::string::npos)
        << row.to << ": " << message;
    EXPECT_NE(message.find(row.says), std::string::npos) << row.to << ": " << message;
  }
}

TEST(GraphTextError, AnF32GraphHasF32Constants) {
  const std::string text = "frit graph 1 f32\n%0 = constant 0x1.0000001p+0 : f32 constant\noutput \"o\" = %0\n";
  EXPECT_NE(message_of(text).find("line 2, column 15: 0x1.0000001p+0 has no exact value in f32"), std::string::npos)
      << message_of(text);
}

TEST(GraphTextError, EveryPrefixOfAGraphIsAnErrorUpToTheLastLine) {
  const std::string text = print_graph(test::random_graph(3, DType::f64, {.nodes = 20, .outputs = 1}));
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_NE(message_of(text.substr(0, size)), "no error") << size;
}

// One byte changed anywhere: an error, or a text that prints as itself.
TEST(GraphTextError, AnyChangedByteIsSeenOrKept) {
  const std::string text = print_graph(test::random_graph(5, DType::f64, {.nodes = 12}));
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (char c : {'\0', '0', '1', ' ', '"', '\\', '\n', '%', 'x', '\xc3'}) {
      std::string changed = text;
      changed[at] = c;
      try {
        EXPECT_EQ(print_graph(parse_graph(changed)), changed) << at;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::graph_text) << error.what();
      }
    }
  }
}

TEST(GraphTextError, ALongRunOfAnythingEndsSoon) {
  for (const char* piece : {"(", "%", "\"", "\\", "0", "\n", "%0 = ", "exp("}) {
    std::string text = "frit graph 1 f64\n";
    for (int i = 0; i < 100'000; ++i) text += piece;
    EXPECT_LT(message_of(text).size(), 400u) << piece;
  }
}

}  // namespace
}  // namespace frit
