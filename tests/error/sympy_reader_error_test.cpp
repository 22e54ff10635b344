#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "frit/error.hpp"
#include "frontends/sympy/reader.hpp"

namespace {

using frit::ErrorCode;

struct Case {
  const char* text;
  ErrorCode code;
  const char* where;  // how the message begins
  const char* says;   // what it holds
};

void check(const Case& c) {
  try {
    frit::read_srepr(c.text);
    ADD_FAILURE() << "no error: " << c.text;
  } catch (const frit::Error& error) {
    EXPECT_EQ(name_of(error.code()), name_of(c.code)) << c.text << "\n" << error.what();
    EXPECT_EQ(error.message().rfind(c.where, 0), 0u) << c.text << "\n" << error.what();
    EXPECT_NE(error.message().find(c.says), std::string::npos) << c.text << "\n" << error.what();
  }
}

TEST(SympyReaderError, UnknownClasses) {
  const ErrorCode code = ErrorCode::sympy_unknown_class;
  for (const Case& c : {
           Case{"besselj(Integer(0), Symbol('x'))", code,
                "line 1, column 1 (byte 0): ", "unknown class 'besselj'; frit reads Abs, Add"},
           Case{"Add(Symbol('x'),\n  Sin(Symbol('x')))", code, "line 2, column 3 (byte 19): ", "did you mean 'sin'?"},
           Case{"Integral(Symbol('x'), Tuple(Symbol('x')))", code, "line 1, column 1 ", "unknown class 'Integral'"},
           Case{"Derivative(Symbol('x'), Symbol('x'))", code, "line 1, column 1 ", "unknown class 'Derivative'"},
           Case{"Function('f')(Symbol('x'))", code, "line 1, column 1 ", "unknown class 'Function'"},
           Case{"Mull(Symbol('x'), Symbol('y'))", code, "line 1, column 1 ", "did you mean 'Mul'?"},
           Case{"Add(Symbol('é'), Foo())", code, "line 1, column 18 (byte 18): ", "unknown class 'Foo'"},
           Case{"Add(x, Integer(1))", code,
                "line 1, column 5 (byte 4): ", "unknown name 'x'; a free symbol is written Symbol('x')"},
           Case{"Add(Symbol('x'), GoldenMean)", code, "line 1, column 18 ", "unknown name 'GoldenMean'"},
           Case{"S.Foo", code, "line 1, column 1 ", "no constant 'Foo'"},
           Case{"S.sin", code, "line 1, column 1 ", "no constant 'sin'"},
           Case{"__import__('os').system('x')", code, "line 1, column 1 ", "unknown class '__import__'"},
           Case{"lambda x: x", code, "line 1, column 1 ", "unknown name 'lambda'"},
           Case{"eval('1')", code, "line 1, column 1 ", "unknown class 'eval'"},
           Case{"os.system('x')", code, "line 1, column 1 ", "unknown name 'os'"},
           Case{"αβγ(Symbol('x'))", code, "line 1, column 1 ", "unknown class 'αβγ'"},
           Case{"IndexedBase(Symbol('a'))", code, "line 1, column 1 ", "unknown class 'IndexedBase'"},
       }) {
    check(c);
  }
}

TEST(SympyReaderError, WrongNumberOfArguments) {
  const ErrorCode code = ErrorCode::sympy_arity;
  for (const Case& c : {
           Case{"sin()", code, "line 1, column 1 (byte 0): ", "sin takes 1 argument, got 0"},
           Case{"sin(Symbol('x'), Symbol('y'))", code,
                "line 1, column 18 (byte 17): ", "sin takes 1 argument, got more"},
           Case{"atan2(Symbol('x'))", code, "line 1, column 1 ", "atan2 takes 2 arguments, got 1"},
           Case{"Pow(Symbol('x'))", code, "line 1, column 1 ", "Pow takes 2 arguments, got 1"},
           Case{"Pow(1, 2, 3)", code, "line 1, column 11 ", "Pow takes 2 arguments, got more"},
           Case{"log(1, 2, 3)", code, "line 1, column 11 ", "log takes 2 arguments, got more"},
           Case{"log()", code, "line 1, column 1 ", "log takes at least 1 argument, got 0"},
           Case{"Min()", code, "line 1, column 1 ", "Min takes at least 1 argument, got 0"},
           Case{"Piecewise()", code, "line 1, column 1 ", "Piecewise takes at least 1 argument, got 0"},
           Case{"Integer()", code, "line 1, column 9 ", "Integer takes an integer, got no argument"},
           Case{"Integer(1, 2)", code, "line 1, column 10 ", "Integer takes 1 argument, got more"},
           Case{"Rational()", code, "line 1, column 10 ", "Rational"},
           Case{"Rational(1, 2, 3)", code, "line 1, column 14 ", "Rational takes 2 arguments, got more"},
           Case{"Float()", code, "line 1, column 1 ", "Float takes a number"},
           Case{"Symbol()", code, "line 1, column 8 ", "Symbol takes its name as a string"},
           Case{"Symbol('x', 'y')", code, "line 1, column 13 ", "Symbol takes one name"},
           Case{"Dummy('x')", code, "line 1, column 1 ", "no dummy_index"},
           Case{"Matrix()", code, "line 1, column 1 ", "Matrix"},
           Case{"Matrix(Float('1.0', precision=103))", code, "line 1, column 1 ", "Matrix"},
           Case{"Matrix(1, 2)", code, "line 1, column 1 ", "Matrix"},
           Case{"Matrix([1], 2)", code, "line 1, column 13 ", "Matrix takes one list, or rows, columns and a list"},
           Case{"Piecewise(ExprCondPair(1))", code, "line 1, column 11 ", "ExprCondPair takes 2 arguments, got 1"},
           Case{"Piecewise(ExprCondPair(1, true, 1))", code, "line 1, column 33 ",
                "ExprCondPair takes 2 arguments, got more"},
           Case{"Not(true, false)", code, "line 1, column 11 ", "Not takes 1 argument, got more"},
       }) {
    check(c);
  }
}

TEST(SympyReaderError, WrongKindOfArgument) {
  const ErrorCode code = ErrorCode::sympy_argument;
  for (const Case& c : {
           Case{"sin(true)", code,
                "line 1, column 5 (byte 4): ", "argument 1 of sin must be a number, got a condition"},
           Case{"Add(Symbol('x'), LessThan(Symbol('x'), 1))", code, "line 1, column 18 ",
                "argument 2 of Add must be a number"},
           Case{"And(true, Symbol('x'))", code, "line 1, column 11 ",
                "argument 2 of And must be a condition, got a number"},
           Case{"LessThan(true, 1)", code, "line 1, column 10 ", "argument 1 of LessThan must be a number"},
           Case{"sin([Symbol('x')])", code, "line 1, column 5 ", "must be an expression, got a list, tuple or matrix"},
           Case{"sin((Symbol('x'), 1))", code, "line 1, column 5 ", "must be an expression"},
           Case{"Add(1, Matrix([[1]]))", code, "line 1, column 8 ", "must be an expression"},
           Case{"sin('x')", code, "line 1, column 5 ", "a string stands where an expression is expected"},
           Case{"'x'", code, "line 1, column 1 ", "a string"},
           Case{"Piecewise(Symbol('x'))", code, "line 1, column 11 ", "ExprCondPair(value, condition)"},
           Case{"Piecewise((1, 2))", code, "line 1, column 11 ",
                "argument 2 of ExprCondPair must be a condition, got a number"},
           Case{"Piecewise((true, true))", code, "line 1, column 11 ", "argument 1 of ExprCondPair must be a number"},
           Case{"Piecewise((1, 2, 3))", code, "line 1, column 11 ", "ExprCondPair(value, condition)"},
           Case{"Piecewise(ExprCondPair(1, 2))", code, "line 1, column 27 ",
                "argument 2 of ExprCondPair must be a condition"},
           Case{"ExprCondPair(1, true)", code, "line 1, column 1 ", "inside Piecewise only"},
           Case{"sin(ExprCondPair(1, true))", code, "line 1, column 5 ", "got an ExprCondPair"},
           Case{"[ExprCondPair(1, true)]", code, "line 1, column 2 ", "ExprCondPair"},
           Case{"Integer('5')", code, "line 1, column 9 ", "Integer takes integer literals alone"},
           Case{"Integer('x')", code, "line 1, column 9 ", "Integer takes integer literals alone"},
           Case{"Integer(1.5)", code, "line 1, column 9 ", "Integer takes integer literals alone"},
           Case{"Integer(Symbol('x'))", code, "line 1, column 9 ", "Integer takes integer literals alone"},
           Case{"Rational(1, 0)", code, "line 1, column 1 ", "denominator of this Rational is zero"},
           Case{"Rational('1/3')", code, "line 1, column 10 ", "Rational takes integer literals alone"},
           Case{"Float('abc')", code, "line 1, column 1 ", "Float takes a decimal number, got 'abc'"},
           Case{"Float('1.0', precision='x')", code, "line 1, column 24 ", "Float takes integer literals alone"},
           Case{"Float('1.0', digits=5)", code, "line 1, column 14 ", "precision or dps"},
           Case{"Symbol(x)", code, "line 1, column 8 ", "takes its name as a string"},
           Case{"Symbol('x', real=1)", code, "line 1, column 18 ", "True, False or None"},
           Case{"Symbol('x', real=maybe)", code, "line 1, column 18 ", "True, False or None, found 'maybe'"},
           Case{"sin(Symbol('x'), evaluate=False)", code, "line 1, column 18 ",
                "sin takes no keyword argument 'evaluate'"},
           Case{"Matrix([[1, 2], [3]])", code, "line 1, column 17 ", "rows of this matrix differ in length"},
           Case{"Matrix([[1, 2], 3])", code, "line 1, column 17 ", "rows of this matrix differ in length"},
           Case{"Matrix([[[1]]])", code, "line 1, column 10 ", "element of a matrix"},
           Case{"Matrix(2, 2, [1, 2, 3])", code, "line 1, column 14 ",
                "2 rows and 2 columns needs a flat list of 4 elements, got 3"},
           Case{"Matrix(-1, 2, [])", code, "line 1, column 8 ", "integers from 0"},
           Case{"Matrix(1)", ErrorCode::sympy_arity, "line 1, column 1 ", "Matrix"},
           Case{"[]", code, "line 1, column 1 ", "no expression"},
           Case{"MutableDenseMatrix(0, 2, [])", code, "line 1, column 1 ", "no expression"},
           Case{"([(Symbol('a'), 1)], [])", code, "line 1, column 1 ", "no expression"},
           Case{"([(Symbol('a'), cos(Symbol('b'))), (Symbol('b'), 1)], [Symbol('a')])", code, "line 1, column 36 ",
                "Symbol('b') is used before its definition"},
           Case{"([(Symbol('a'), sin(Symbol('a')))], [Symbol('a')])", code, "line 1, column 3 ",
                "used before its definition"},
           Case{"([(Symbol('a'), [1, 2])], [Symbol('a')])", code, "line 1, column 3 ", "a symbol and one expression"},
           Case{"1e9999999999999999", code, "line 1, column 1 ", "out of range"},
       }) {
    check(c);
  }
  check({"Symbol('x', commutative=False)", ErrorCode::sympy_unsupported, "line 1, column 13 ", "must be commutative"});
  const std::string digits(200'000, '3');
  check({("Rational(1, " + digits + ")").c_str(), ErrorCode::sympy_unsupported, "line 1, column 1 ", "100000 digits"});
}

TEST(SympyReaderError, Duplicates) {
  const ErrorCode code = ErrorCode::sympy_duplicate;
  for (const Case& c : {
           Case{"Symbol('x', real=True, real=False)", code, "line 1, column 24 ", "keyword 'real' is given twice"},
           Case{"Dummy('x', dummy_index=1, dummy_index=1)", code, "line 1, column 27 ",
                "keyword 'dummy_index' is given twice"},
           Case{"Float('1', precision=53, dps=15)", code, "line 1, column 26 ", "given twice"},
           Case{"Add(Symbol('x'), Symbol('x', real=True))", code, "line 1, column 18 ",
                "Symbol('x') and Symbol('x', real=True) are different symbols of one name"},
           Case{"Add(Dummy('x', dummy_index=1), Dummy('x', dummy_index=2))", code, "line 1, column 32 ",
                "Dummy('x', dummy_index=1) and Dummy('x', dummy_index=2)"},
           Case{"([(Symbol('a'), 1), (Symbol('a'), 2)], [Symbol('a')])", code, "line 1, column 21 ", "defined twice"},
       }) {
    check(c);
  }
}

TEST(SympyReaderError, Syntax) {
  const ErrorCode code = ErrorCode::sympy_syntax;
  for (const Case& c : {
           Case{"", code, "line 1, column 1 (byte 0): ", "the text is empty"},
           Case{" \n ", code, "line 2, column 2 (byte 3): ", "the text is empty"},
           Case{"Add(Symbol('x'), ", code,
                "line 1, column 18 (byte 17): ", "the text ends inside the Add that starts at byte 0"},
           Case{"Add(Symbol('x')", code, "line 1, column 16 ",
                "expected ',' or ')' in the Add that starts at byte 0, found the end"},
           Case{"Add(Symbol('x')]", code, "line 1, column 16 ", "found ']'"},
           Case{"[Symbol('x'))", code, "line 1, column 13 ", "expected ',' or ']'"},
           Case{"Symbol('x') Symbol('y')", code, "line 1, column 13 ", "expected the end of the text"},
           Case{"Symbol('x'), Symbol('y')", code, "line 1, column 12 ", "expected the end of the text"},
           Case{"Symbol('x'))", code, "line 1, column 12 ",
                "expected the end of the text after the expression, found ')'"},
           Case{"Symbol('x').name", code, "line 1, column 12 ", "found '.'"},
           Case{"Add(Symbol('x').name)", code, "line 1, column 16 ", "found '.'"},
           Case{"Add(,)", code, "line 1, column 5 ", "expected an expression, found ','"},
           Case{"Add(1,,2)", code, "line 1, column 7 ", "expected an expression, found ','"},
           Case{")", code, "line 1, column 1 ", "expected an expression, found ')'"},
           Case{"Add", code, "line 1, column 4 ", "expected '(' after Add"},
           Case{"Add + 1", code, "line 1, column 5 ", "expected '(' after Add, found '+'"},
           Case{"{Symbol('x')}", code, "line 1, column 1 ", "found '{'"},
           Case{"Symbol('x') + 1", code, "line 1, column 13 ", "found '+'"},
           Case{"Symbol('x\n')", code, "line 1, column 8 ", "no end on its line"},
           Case{"Symbol('x", code, "line 1, column 8 ", "no end on its line"},
           Case{"Symbol('x\\", code, "line 1, column 8 ", "no end on its line"},
           Case{"Symbol('x\\'", code, "line 1, column 8 ", "no end on its line"},
           Case{"Symbol('x' 'y')", code, "line 1, column 12 ", "expected ')'"},
           Case{"Symbol('\\d')", code, "line 1, column 9 ", "unknown escape '\\d'"},
           Case{"Symbol('\\xg0')", code, "line 1, column 9 ", "2 hexadecimal digits"},
           Case{"Symbol('\\N{DIGIT ONE}')", code, "line 1, column 9 ", "unknown escape '\\N'"},
           Case{"Symbol('x', real)", code, "line 1, column 17 ", "expected '='"},
           Case{"Integer(1_000)", code, "line 1, column 9 ", "no decimal number"},
           Case{"Integer(0x10)", code, "line 1, column 9 ", "no decimal number"},
           Case{"Integer(-)", code, "line 1, column 10 ", "no decimal number"},
           Case{"1e", code, "line 1, column 3 ", "no decimal number"},
           Case{".", code, "line 1, column 2 ", "no decimal number"},
           Case{"1j", code, "line 1, column 1 ", "no decimal number"},
           Case{"--1", code, "line 1, column 2 ", "no decimal number"},
           Case{"pi()", code, "line 1, column 3 ", "found '('"},
           Case{"# comment", code, "line 1, column 1 ", "found '#'"},
       }) {
    check(c);
  }
}

TEST(SympyReaderError, Encoding) {
  const ErrorCode code = ErrorCode::sympy_encoding;
  for (const Case& c : {
           Case{"Symbol('\xff')", code, "line 1, column 9 (byte 8): ", "the byte 0xff is not UTF-8"},
           Case{"Symbol('\xc3')", code, "line 1, column 9 (byte 8): ", "0xc3"},
           Case{"Symbol('\xc0\x80')", code, "line 1, column 9 (byte 8): ", "0xc0"},
           Case{"Symbol('abcdefghijkl\xed\xa0\x80')", code, "line 1, column 21 (byte 20): ", "0xed"},
           Case{"Symbol('é', \xf4\x90\x80\x80)", code, "line 1, column 13 (byte 13): ", "0xf4"},
           Case{"\xff\xfe", code, "line 1, column 1 (byte 0): ", "0xff"},
           Case{"Symbol('\\ud800')", code, "line 1, column 9 ", "U+D800 is no Unicode character"},
           Case{"Symbol('\\U00110000')", code, "line 1, column 9 ", "U+110000"},
       }) {
    check(c);
  }
}

TEST(SympyReaderError, ManyBracketsAreOneErrorSoon) {
  const std::string brackets(100'000'000, '(');
  check({brackets.c_str(), ErrorCode::sympy_syntax, "line 1, column 1000001 ", "nested more than 1000000 deep"});
  std::string calls;
  while (calls.size() < 8'000'000) calls += "sin(";
  check({calls.c_str(), ErrorCode::sympy_syntax, "line 1, column 4000001 ", "nested more than 1000000 deep"});
}

TEST(SympyReaderError, ManyKeywordsAreOneErrorSoon) {
  std::string text = "Symbol('x'";
  for (int i = 0; i < 100'000; ++i) text += ", k" + std::to_string(i) + "=True";
  check({(text + ")").c_str(), ErrorCode::sympy_arity, "line 1, column ", "at most 64 assumptions"});
}

TEST(SympyReaderError, Files) {
  const auto folder = std::filesystem::temp_directory_path() / ("frit_sympy_reader_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto error_of = [](const std::string& path) {
    try {
      frit::read_srepr_file(path);
    } catch (const frit::Error& error) {
      EXPECT_EQ(error.message().rfind(path + ": ", 0), 0u) << error.what();
      return error.code();
    }
    ADD_FAILURE() << path;
    return ErrorCode::internal;
  };
  EXPECT_EQ(error_of((folder / "missing.srepr").string()), ErrorCode::file_open);
  EXPECT_EQ(error_of(folder.string()), ErrorCode::file_read);
  const auto path = (folder / "model.srepr").string();
  std::ofstream{path};
  EXPECT_EQ(error_of(path), ErrorCode::sympy_syntax);
  std::ofstream{path} << "Add(Symbol('x'), Foo())\n";
  EXPECT_EQ(error_of(path), ErrorCode::sympy_unknown_class);
  std::ofstream{path} << "Add(Symbol('x'), Integer(1))\n";
  EXPECT_EQ(frit::read_srepr_file(path).size(), 3u);
  std::filesystem::remove_all(folder);
}

}  // namespace
