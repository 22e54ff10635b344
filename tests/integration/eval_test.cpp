// The program on whole models: the same file in every mode and split, and the right values in it.
#include <cmath>
#include <nlohmann/json.hpp>

#include "io/npz_writer.hpp"
#include "io/parameters.hpp"
#include "program.hpp"

namespace frit::test {
namespace {

class EvalModel : public testing::TestWithParam<ModelFolder> {
 protected:
  // Runs the model; false where this CPU has no such kernels.
  bool eval(const std::filesystem::path& output, const std::vector<std::string>& more) {
    const Ended result = run(eval_arguments(GetParam(), output, more));
    if (result.status == 3 && result.err.find("error[cpu-unsupported]") != std::string::npos) return false;
    EXPECT_EQ(result.status, 0) << result.err;
    return result.status == 0;
  }
  Folder folder_;
};

// An npz is the same byte by byte where its arrays are, so files are compared, not values.
TEST_P(EvalModel, TheSameBitsInEveryModeAndSplit) {
  const std::vector<std::vector<std::string>> variants{
      {"--mode", "eager", "--threads", "1"},
      {"--mode", "eager", "--threads", "2"},
      {"--mode", "eager", "--chunk", "777"},
      {"--mode", "graph", "--threads", "2"},
      {"--mode", "graph", "--threads", "7"},
      {"--mode", "graph", "--tile", "64"},
      {"--mode", "graph", "--tile", "1024"},
      {"--mode", "graph", "--chunk", "1000"},
      {"--mode", "graph", "--chunk", "613"},
      {"--mode", "graph", "--chunk", "1000000"},
      {"--mode", "graph", "--isa", "v3"},
      {"--mode", "graph", "--isa", "v4"},
      {"--mode", "eager", "--isa", "v3"},
      {"--mode", "graph", "--isa", "v2"},
      {"--mode", "auto"},
  };
  for (const std::string dtype : {"f64", "f32"}) {
    ASSERT_TRUE(eval(folder_ / "graph.npz", {"--dtype", dtype, "--mode", "graph", "--threads", "1"}));
    const std::string expected = read_file(folder_ / "graph.npz");
    ASSERT_FALSE(expected.empty());
    for (std::vector<std::string> variant : variants) {
      variant.insert(variant.end(), {"--dtype", dtype});
      if (!eval(folder_ / "other.npz", variant)) continue;
      EXPECT_TRUE(read_file(folder_ / "other.npz") == expected) << dtype << ": " << testing::PrintToString(variant);
    }
  }
  EXPECT_EQ(folder_.files(), 2u);
}

TEST_P(EvalModel, F64AgreesWithTheExactValues) {
  const auto exact = read_table(GetParam().path / "reference.npz", "exact");
  const auto index = read_table(GetParam().path / "reference.npz", "exact_index");
  ASSERT_TRUE(exact && index);
  ASSERT_TRUE(eval(folder_ / "out.npz", {}));
  const Table output = read_outputs(folder_ / "out.npz");
  ASSERT_EQ(output.rows, exact->rows);
  double worst = 0;
  for (std::size_t row = 0; row < exact->rows; ++row) {
    for (std::size_t i = 0; i < index->columns; ++i) {
      const double expected = exact->at(row, i).real();
      const double got = output.at(row, static_cast<std::size_t>(index->at(0, i).real())).real();
      const double error = std::abs(got - expected) / (expected == 0 ? 1 : std::abs(expected));
      EXPECT_LE(error, 1e-13) << "output " << row << ", event " << index->at(0, i).real() << ": " << got << " for "
                              << expected;
      worst = std::max(worst, error);
    }
  }
  RecordProperty("worst_relative_error", std::to_string(worst * 1e16) + "e-16");
}

// Over all events the float64 NumPy reference is itself off where values cancel; most events agree to a few ulp.
TEST_P(EvalModel, MostEventsAgreeWithTheFloat64Reference) {
  const auto reference = read_table(GetParam().path / "reference.npz", "intensity");
  ASSERT_TRUE(reference);
  ASSERT_TRUE(eval(folder_ / "out.npz", {}));
  const Table output = read_outputs(folder_ / "out.npz");
  ASSERT_EQ(output.rows, reference->rows);
  ASSERT_EQ(output.columns, reference->columns);
  for (std::size_t row = 0; row < output.rows; ++row) {
    std::vector<double> errors;
    for (std::size_t i = 0; i < output.columns; ++i) {
      const double expected = reference->at(row, i).real();
      errors.push_back(std::abs(output.at(row, i).real() - expected) / (expected == 0 ? 1 : std::abs(expected)));
      EXPECT_FALSE(std::isnan(output.at(row, i).real()) && !std::isnan(expected));
    }
    std::sort(errors.begin(), errors.end());
    EXPECT_LT(errors[errors.size() / 2], 1e-14);
  }
}

// f32 against the f64 evaluation of the same inputs, those rounded to f32.
TEST_P(EvalModel, F32IsAsNearAsItsRoundingAllows) {
  io::SampleFile sample = io::SampleFile::open(GetParam().path / "data.npz");
  for (const io::ColumnInfo& column : sample.columns())
    if (is_complex(column.dtype))
      GTEST_SKIP() << "complex columns: near the branch points the condition is the model's";
  {
    io::NpzWriter writer(folder_ / "rounded.npz");
    for (const io::ColumnInfo& info : sample.columns()) {
      std::vector<float> values;
      for (const double x : io::test::values_of<double>(sample.read(info.name)))
        values.push_back(static_cast<float>(x));
      writer.begin(info.name, DType::f32, info.size);
      writer.append(info.name, values.data(), info.size);
    }
    writer.commit();
  }
  nlohmann::json rounded = nlohmann::json::object();
  for (const auto& [name, value] : io::read_parameters(GetParam().path / "parameters.json")) {
    const double re = static_cast<float>(value.re), im = static_cast<float>(value.im);
    rounded[name] = value.complex ? nlohmann::json{re, im} : nlohmann::json(re);
  }
  write_file(folder_ / "rounded.json", rounded.dump());
  for (const std::string dtype : {"f64", "f32"}) {
    const Ended result =
        run({"eval", GetParam().path / "model.srepr", "--data", folder_ / "rounded.npz", "--parameters",
             folder_ / "rounded.json", "--dtype", dtype, "--output", folder_ / (dtype + ".npz")});
    ASSERT_EQ(result.status, 0) << result.err;
  }
  const Table f64 = read_outputs(folder_ / "f64.npz"), f32 = read_outputs(folder_ / "f32.npz");
  if (f64.rows > 1) GTEST_SKIP() << "several outputs: angles near their branch points have no relative bound";
  std::vector<double> errors;
  for (std::size_t i = 0; i < f64.columns; ++i)
    errors.push_back(std::abs(f32.at(0, i) - f64.at(0, i)) / std::abs(f64.at(0, i)));
  std::sort(errors.begin(), errors.end());
  EXPECT_LT(errors[errors.size() / 2], 3e-7);
  EXPECT_LT(errors[errors.size() * 99 / 100], 4e-6);
}

TEST_P(EvalModel, APublishedValueWhereThereIsOne) {
  const std::filesystem::path validation = GetParam().path / "validation.npz";
  if (!std::filesystem::exists(validation)) GTEST_SKIP() << "this model has no published value";
  const Ended result = run({"eval", GetParam().path / "model.srepr", "--data", validation, "--parameters",
                            GetParam().path / "parameters.json", "--output", folder_ / "out.npz"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.err.find("note: column 'intensity' is ignored"), std::string::npos) << result.err;
  const double expected = read_table(validation, "intensity")->at(0, 0).real();
  EXPECT_NEAR(read_outputs(folder_ / "out.npz").at(0, 0).real(), expected, 1e-13 * expected);
}

INSTANTIATE_TEST_SUITE_P(Models, EvalModel, testing::ValuesIn(model_folders()),
                         [](const auto& param_info) { return param_info.param.name; });

// Everything below runs on small models in their own folder.
class Eval : public testing::Test {
 protected:
  void SetUp() override {
    write_file(model(), "Add(Mul(Symbol('a'), Symbol('x')), Symbol('y'))");
    write_file(folder_ / "p.json", R"({"a": 2.0})");
    write_data("data.npz", {{"x", {1, 2, 3}}, {"y", {0.5, 0.25, 0.125}}});
  }
  std::filesystem::path model() const { return folder_ / "model.srepr"; }
  void write_data(const std::string& name,
                  const std::vector<std::pair<std::string, std::vector<double>>>& columns) const {
    std::vector<io::test::Part> parts;
    for (const auto& [column, values] : columns)
      parts.push_back({.name = column + ".npy", .content = io::test::npy_f64(values)});
    write_file(folder_ / name, io::test::zip_of(parts));
  }
  Ended eval(const std::string& data, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{
        "eval", model(), "--data", folder_ / data, "--parameters", folder_ / "p.json", "--output", folder_ / "out.npz"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  std::vector<double> output() const {
    std::vector<double> values;
    for (const auto& value : read_outputs(folder_ / "out.npz").values) values.push_back(value.real());
    return values;
  }
  Folder folder_;
};

using Values = std::vector<double>;

TEST_F(Eval, NpzNpyAndCsvGiveTheSame) {
  const Ended result = eval("data.npz");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_EQ(output(), (Values{2.5, 4.25, 6.125}));
  write_file(folder_ / "data.csv", "x,y\n1,0.5\n2,0.25\n3,0.125\n");
  EXPECT_EQ(eval("data.csv", {"--mode", "eager"}).status, 0);
  EXPECT_EQ(output(), (Values{2.5, 4.25, 6.125}));
  write_file(folder_ / "x.npy", io::test::npy_f64({4, 5}));
  write_file(folder_ / "p.json", R"({"a": 2.0, "y": 1})");
  EXPECT_EQ(eval("x.npy").status, 0);
  EXPECT_EQ(output(), (Values{9, 11}));
}

TEST_F(Eval, NoEventAndOneEvent) {
  for (const std::string mode : {"eager", "graph"}) {
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--chunk", "10"}, {"--threads", "2"}}) {
      std::vector<std::string> arguments{"--mode", mode};
      arguments.insert(arguments.end(), more.begin(), more.end());
      write_data("none.npz", {{"x", {}}, {"y", {}}});
      Ended result = eval("none.npz", arguments);
      EXPECT_EQ(result.status, 0) << result.err;
      EXPECT_EQ(output(), Values{});
      write_data("one.npz", {{"x", {3}}, {"y", {1}}});
      result = eval("one.npz", arguments);
      EXPECT_EQ(result.status, 0) << result.err;
      EXPECT_EQ(output(), Values{7});
    }
  }
}

TEST_F(Eval, AModelWithoutColumnsHasOneEventOrThoseOfTheData) {
  write_file(model(), "Add(Symbol('a'), Integer(1))");
  Ended result = run({"eval", model(), "--parameters", folder_ / "p.json", "--output", folder_ / "out.npz"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(output(), Values{3});
  result = eval("data.npz", {"--chunk", "2"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(output(), (Values{3, 3, 3}));
}

TEST_F(Eval, NanAndInfinityPassThrough) {
  const double inf = INFINITY;
  write_data("data.npz", {{"x", {NAN, inf, -inf, 1}}, {"y", {0, -inf, 0, NAN}}});
  for (const std::string mode : {"eager", "graph"}) {
    EXPECT_EQ(eval("data.npz", {"--mode", mode}).status, 0);
    const Values values = output();
    EXPECT_TRUE(std::isnan(values[0]));
    EXPECT_TRUE(std::isnan(values[1]));
    EXPECT_EQ(values[2], -inf);
    EXPECT_TRUE(std::isnan(values[3]));
  }
}

TEST_F(Eval, IntegerFloat32AndBigEndianColumnsAreConvertedExactly) {
  using namespace io::test;
  write_file(
      folder_ / "data.npz",
      zip_of({{.name = "x.npy",
               .content = npy("<i8", "(2,)", bytes_of(std::vector<std::int64_t>{7, -(std::int64_t{1} << 52)}))},
              {.name = "y.npy", .content = npy(">f4", "(2,)", bytes_of(std::vector<float>{0.5F, 0.0F}, true))}}));
  const Ended result = eval("data.npz");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(output(), (Values{14.5, -0x1p53}));
}

TEST_F(Eval, NotesSayWhatWasIgnoredAndRounded) {
  using namespace io::test;
  std::vector<Part> parts{{.name = "x.npy", .content = npy_f64({1})},
                          {.name = "y.npy", .content = npy_f64({1})},
                          {.name = "names.npy", .content = npy("<U4", "(1,)", std::string(16, '\0'))}};
  for (int i = 0; i < 20; ++i) parts.push_back({.name = "u" + std::to_string(i) + ".npy", .content = npy_f64({1, 2})});
  write_file(folder_ / "data.npz", zip_of(parts));
  write_file(folder_ / "p.json", R"({"a": 2.0, "unused": 1})");
  const Ended result = eval("data.npz", {"--dtype", "f32", "--report", folder_ / "report.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const std::string line :
       {"note: array 'names' is ignored: the model does not use it, and it is no column\n",
        "note: column 'u0' is ignored: the model does not use it (and 19 more: 'u1', 'u2', 'u3', 'u4', ...)\n",
        "note: parameter 'unused' is ignored: the model does not use it\n",
        "note: column 'x' is f64 and is rounded to f32 (and 1 more: 'y')\n"})
    EXPECT_NE(result.err.find(line), std::string::npos) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 4) << result.err;
  EXPECT_EQ(nlohmann::json::parse(read_file(folder_ / "report.json"))["notes"].size(), 24u);

  std::filesystem::remove(folder_ / "out.npz");
  const Ended strict = eval("data.npz", {"--dtype", "f32", "--strict"});
  EXPECT_EQ(strict.status, 2);
  EXPECT_NE(strict.err.find("error[column-dtype]"), std::string::npos) << strict.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.npz"));
  EXPECT_EQ(eval("data.npz", {"--strict"}).status, 0);
}

TEST_F(Eval, ComplexOutputsStayComplexUnlessRealIsAskedFor) {
  write_file(model(), "Tuple(Add(Symbol('x'), Mul(I, Symbol('y'))), Symbol('x'))");
  EXPECT_EQ(eval("data.npz").status, 0);
  EXPECT_EQ(read_table(folder_ / "out.npz", "output_0")->values[1], std::complex<double>(2, 0.25));
  EXPECT_FALSE(read_table(folder_ / "out.npz", "output_1")->complex);
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--real"}, {"--real", "--chunk", "2"}}) {
    const Ended result = eval("data.npz", more);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.err.find("note: output 'output_0': imaginary parts dropped, the largest is 0.5 at event 0\n"),
              std::string::npos)
        << result.err;
    EXPECT_FALSE(read_table(folder_ / "out.npz", "output_0")->complex);
    EXPECT_EQ(output(), (Values{1, 2, 3, 1, 2, 3}));
  }
}

TEST_F(Eval, TheReportHasEveryFigure) {
  EXPECT_EQ(eval("data.npz", {"--report", folder_ / "report.json", "--threads", "1", "--mode", "auto"}).status, 0);
  const auto report = nlohmann::json::parse(read_file(folder_ / "report.json"));
  EXPECT_EQ(report["mode_asked"], "auto");
  EXPECT_EQ(report["dtype"], "f64");
  EXPECT_EQ(report["events"], 3);
  EXPECT_EQ(report["threads"], 1);
  EXPECT_TRUE(report["version"].is_string() && report["isa"].is_string() && report["mode_used"].is_string());
  for (const char* key : {"read_s", "parse_s", "trace_s", "passes_s", "plan_s", "compile_s", "run_s", "write_s"})
    EXPECT_TRUE(report[key].is_number() && report[key] >= 0) << key;
  EXPECT_GT(report["peak_rss_mb"], 1);
}

TEST_F(Eval, ChunksKeepTheMemoryBounded) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer holds memory of its own";
#endif
  // 40 MB of zeros in a sparse file, and as much output.
  const std::int64_t events = 5000000;
  write_file(folder_ / "x.npy", io::test::npy("<f8", "(" + std::to_string(events) + ",)", ""));
  std::filesystem::resize_file(folder_ / "x.npy", std::filesystem::file_size(folder_ / "x.npy") + 8 * events);
  write_file(folder_ / "p.json", R"({"a": 2.0, "y": 1})");
  const auto peak = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"--report", folder_ / "report.json", "--threads", "2"};
    all.insert(all.end(), more.begin(), more.end());
    const Ended result = eval("x.npy", all);
    EXPECT_EQ(result.status, 0) << result.err;
    return nlohmann::json::parse(read_file(folder_ / "report.json"))["peak_rss_mb"].get<double>();
  };
  EXPECT_LT(peak({}), 80 + 32);
  const std::string whole = read_file(folder_ / "out.npz");
  EXPECT_LT(peak({"--chunk", "100000"}), 32);
  EXPECT_TRUE(read_file(folder_ / "out.npz") == whole);
}

TEST_F(Eval, AnOlderOutputIsReplaced) {
  write_file(folder_ / "out.npz", "older");
  EXPECT_EQ(eval("data.npz").status, 0);
  EXPECT_EQ(output().size(), 3u);
}

TEST_F(Eval, BenchWritesRowsAndATable) {
  const Ended result = run({"bench",        model(),
                            "--data",       folder_ / "data.npz",
                            "--parameters", folder_ / "p.json",
                            "--modes",      "eager,graph",
                            "--dtypes",     "f64,f32",
                            "--sizes",      "1,2,1000",
                            "--threads",    "1,2",
                            "--samples",    "3",
                            "--min-time",   "0",
                            "--json",       folder_ / "rows.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  const auto rows = nlohmann::json::parse(read_file(folder_ / "rows.json"));
  ASSERT_EQ(rows.size(), 24u);
  for (const auto& row : rows) {
    for (const char* key : {"first_s", "median_s", "min_s", "ns_per_event"}) EXPECT_GT(row[key], 0) << key;
    EXPECT_EQ(row["differing"], 0);
    EXPECT_EQ(row["mode"], row["mode_used"]);
  }
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 25);
  EXPECT_NE(result.out.find("same bits\n"), std::string::npos);
}

TEST_F(Eval, ExplainPrintsEachStage) {
  for (const std::string stage : {"graph", "passes", "plan"}) {
    const Ended result =
        run({"explain", model(), "--data", folder_ / "data.npz", "--parameters", folder_ / "p.json", "--stage", stage});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("mul"), std::string::npos) << result.out;
  }
}

TEST_F(Eval, HelpAndVersion) {
  EXPECT_EQ(run({"--version"}).out, "frit " FRIT_VERSION "\n");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, {"eval", "--help"}, {"bench", "--help"}, {"explain", "--help"}}) {
    const Ended result = run(arguments);
    EXPECT_EQ(result.status, 0);
    EXPECT_NE(result.out.find("Example"), std::string::npos);
    EXPECT_EQ(result.err, "");
  }
}

}  // namespace
}  // namespace frit::test
