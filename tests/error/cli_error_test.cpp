// Bad input end to end: one line with a code, the documented exit status, no output and no temporary file left.
#include <signal.h>
#include <sys/mount.h>
#include <time.h>

#include "../integration/program.hpp"

namespace frit::test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

class CliError : public testing::Test {
 protected:
  void SetUp() override {
    write_file(folder_ / "model.srepr", "Add(Mul(Symbol('a'), Symbol('x')), Symbol('y'))");
    write_file(folder_ / "p.json", R"({"a": 2.0})");
    write_file(folder_ / "data.npz", npz({{"x", io::test::npy_f64({1, 2})}, {"y", io::test::npy_f64({3, 4})}}));
    out_ = folder_ / "out.npz";
  }

  static std::string npz(const std::vector<std::pair<std::string, std::string>>& arrays) {
    std::vector<io::test::Part> parts;
    for (const auto& [name, content] : arrays) parts.push_back({.name = name + ".npy", .content = content});
    return io::test::zip_of(parts);
  }

  std::vector<std::string> arguments(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"eval",         folder_ / model_,      "--data",   folder_ / data_,
                                 "--parameters", folder_ / parameters_, "--output", out_};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  void expect_of(int status, const std::string& code, const std::vector<std::string>& command,
                 const std::string& part = "", const std::function<void()>& in_child = {}) {
    const std::size_t files = folder_.files();
    const Ended result = run(command, in_child);
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err.find("frit: error[" + code + "]: "), 0u) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err << "has no: " << part;
    EXPECT_EQ(folder_.files(), files) << "a file was left";
    EXPECT_FALSE(std::filesystem::exists(out_));
  }
  // The evaluation as it stands must fail.
  void expect(int status, const std::string& code, const std::string& part = "") {
    expect_of(status, code, arguments(), part);
  }

  void expect_model(int status, const std::string& code, const std::string& text, const std::string& part = "") {
    write_file(folder_ / "model.srepr", text);
    expect(status, code, part);
  }
  void expect_data(int status, const std::string& code, const std::string& image, const std::string& part = "") {
    write_file(folder_ / "data.npz", image);
    expect(status, code, part);
  }

  Folder folder_;
  std::string model_ = "model.srepr", data_ = "data.npz", parameters_ = "p.json";
  std::string out_;
};

// Two spellings of one file that does not exist yet, and the rows of a benchmark over its own inputs.
TEST_F(CliError, NoFileReplacesAnother) {
  const std::string other = folder_ / "./out.npz";
  expect_of(2, "usage", arguments({"--report", other}), "would replace");
  for (const std::string& input : {model_, data_, parameters_})
    expect_of(2, "usage",
              {"bench", folder_ / model_, "--data", folder_ / data_, "--parameters", folder_ / parameters_, "--json",
               folder_ / ("./" + input)},
              "would replace");
}

TEST_F(CliError, Usage) {
  expect_of(2, "usage", std::vector<std::string>{});
  expect_of(2, "usage", {"evaluate"});
  expect_of(2, "usage", {"eval"});
  expect_of(2, "usage", arguments({"--mode", "fast"}), "--mode");
  expect_of(2, "usage", arguments({"--dtype", "f16"}), "--dtype");
  expect_of(2, "usage", arguments({"--chunk", "0"}), "--chunk");
  expect_of(2, "usage", arguments({"--chunk", "many"}), "--chunk");
  expect_of(2, "usage", arguments({"--threads", "-1"}), "--threads");
  expect_of(2, "usage", arguments({"--tile", "100"}), "multiple of 64");
  expect_of(2, "usage", arguments({"--data", folder_ / "p.json"}), "--data");
  expect_of(2, "usage", arguments({"--report", ""}), "--report");
  for (const char* option : {"--dot", "--svg", "--json"})
    expect_of(2, "usage", {"explain", folder_ / model_, option, ""}, option);
  expect_of(2, "usage", arguments({"--no-such-option"}));
  expect_of(2, "usage", {"explain", folder_ / model_, "--stage", "nonsense"}, "--stage");
  expect_of(2, "usage", {"bench", folder_ / model_, "--sizes", "0"}, "--sizes");
  expect_of(3, "cpu-unsupported", arguments({"--isa", "v9"}), "v9");
}

// Alike in a build with the compiler and in one without.
TEST_F(CliError, CompiledModeWithoutACompiler) {
  const auto without = [] { setenv("FRIT_COMPILER_MODULE", "/nonexistent/frit_llvm.so", 1); };
  expect_of(3, "compiler-missing", arguments({"--mode", "compiled"}), "use mode graph", without);
  expect_of(3, "mode-unavailable", arguments({"--mode", "auto", "--strict"}), "", without);
}

// A name in a file must not reach the terminal as a command to it.
TEST_F(CliError, ControlCharactersInNames) {
  expect_model(2, "unbound-symbol", "Add(Symbol('a\\x1b[2J'), Symbol('x'))", "a\\x1b[2J");
  expect_model(2, "unbound-symbol", std::string("Add(Symbol('q\x1b[2J\x07'), Symbol('x'))"), "q\\x1b[2J\\x07");
}

TEST_F(CliError, FilesThatAreNotThere) {
  model_ = "none";
  expect(3, "file-open", "none");
  model_ = "model.srepr";
  data_ = "none";
  expect(3, "file-open", "none");
  data_ = "data.npz";
  parameters_ = "none";
  expect(3, "file-open", "none");
  parameters_ = "";
  expect(3, "file-open", "folder");
}

TEST_F(CliError, DamagedData) {
  using namespace io::test;
  const std::string good = read_file(folder_ / "data.npz");
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{40}, good.size() / 2, good.size() - 1})
    expect_data(3, "npz-corrupt", good.substr(0, size));
  expect_data(3, "npz-corrupt", "no archive at all");
  expect_data(3, "npy-object", npz({{"x", npy("|O", "(1,)", "\x80\x04K\x01.")}, {"y", npy_f64({1})}}), "x");
  expect_data(3, "npy-dtype", npz({{"x", npy("<U3", "(1,)", std::string(12, '\0'))}, {"y", npy_f64({1})}}), "x");
  expect_data(3, "npy-shape", npz({{"x", npy("<f8", "(1, 1)", bytes_of(std::vector<double>{1}))}, {"y", npy_f64({1})}}),
              "x");
  expect_data(3, "npy-header", npz({{"x", "\x93NUMPY\x01"}, {"y", npy_f64({1})}}), "x");
  data_ = "data.csv";
  write_file(folder_ / "data.csv", "x,y\n1,2\n3\n");
  expect(3, "csv-syntax");
  write_file(folder_ / "data.csv", "x,y\n1,os.system('true')\n");
  expect(3, "csv-syntax");
}

TEST_F(CliError, ColumnsThatDoNotFit) {
  using namespace io::test;
  expect_data(2, "unbound-symbol", npz({{"x", npy_f64({1})}, {"z", npy_f64({1})}}), "'y'");
  expect_data(2, "column-length", npz({{"x", npy_f64({1})}, {"y", npy_f64({1, 2})}}), "y");
  expect_data(2, "column-dtype",
              npz({{"x", npy("<i8", "(2,)", bytes_of(std::vector<std::int64_t>{1, (std::int64_t{1} << 53) + 1}))},
                   {"y", npy_f64({1, 2})}}),
              "event 1");
  expect_data(2, "usage", npz({{"x", npy_f64({1})}, {"y", npy_f64({1})}, {"a", npy_f64({1})}}), "'a' is both");
  // In a later chunk the error is the same, and nothing of the earlier ones stays.
  expect_data(2, "column-dtype",
              npz({{"x", npy("<i8", "(2,)", bytes_of(std::vector<std::int64_t>{1, (std::int64_t{1} << 53) + 1}))},
                   {"y", npy_f64({1, 2})}}));
  expect_of(2, "column-dtype", arguments({"--chunk", "1"}), "from event 1");
}

TEST_F(CliError, DamageFoundInALaterChunk) {
  using namespace io::test;
  std::vector<double> values(100000, 1.0);
  Part x{.name = "x.npy", .content = npy_f64(values), .deflate = true};
  std::string raw = deflate_stored(x.content);
  raw[raw.size() - 4] ^= 1;  // the CRC of the whole array tells
  x.raw = raw;
  write_file(folder_ / "data.npz", zip_of({x, {.name = "y.npy", .content = npy_f64(values)}}));
  expect(3, "npz-corrupt");
  expect_of(3, "npz-corrupt", arguments({"--chunk", "1000"}));
}

TEST_F(CliError, Parameters) {
  const auto expect_parameters = [&](int status, const std::string& code, const std::string& text) {
    write_file(folder_ / "p.json", text);
    expect(status, code);
  };
  expect_parameters(2, "parameters-syntax", "{");
  expect_parameters(2, "parameters-syntax", "");
  expect_parameters(2, "parameters-syntax", "[1]");
  expect_parameters(2, "parameters-syntax", R"({"a": 1, "a": 2})");
  expect_parameters(2, "parameters-syntax", R"({"a": NaN})");
  expect_parameters(2, "parameter-kind", R"({"a": "2"})");
  expect_parameters(2, "parameter-kind", R"({"a": [1, 2, 3]})");
  expect_parameters(2, "parameter-kind", R"({"a": null})");
  expect_parameters(2, "unbound-symbol", R"({"b": 1})");
  expect_parameters(2, "parameters-syntax", std::string(1000000, '['));
}

TEST_F(CliError, Models) {
  expect_model(2, "sympy-syntax", "");
  expect_model(2, "sympy-syntax", "Add(Symbol('x'), ");
  expect_model(2, "sympy-unknown-class", "Sinn(Symbol('x'))");
  expect_model(2, "sympy-unknown-class", "os.system('true')");
  expect_model(2, "sympy-unknown-class", "__import__('os').system('true')");
  expect_model(2, "sympy-arity", "Pow(Symbol('x'))");
  expect_model(2, "sympy-encoding", "Symbol('\xff\xfe')");
}

TEST_F(CliError, DeepAndLargeModels) {
  std::string deep;
  const int depth = 200000;
  for (int i = 0; i < depth; ++i) deep += "sin(";
  deep += "Symbol('x')";
  deep.append(depth, ')');
  write_file(folder_ / "deep.srepr", deep);
  model_ = "deep.srepr";
  const Ended result = run(arguments());
  EXPECT_EQ(result.status, 0) << result.err.substr(0, 500);
  std::filesystem::remove(out_);
  model_ = "model.srepr";
  expect_model(2, "sympy-syntax", std::string(sanitized ? 10000000 : 100000000, '('));
}

TEST_F(CliError, OutputsThatCannotBeWritten) {
  const std::string good = out_;
  const auto expect_output = [&](int status, const std::string& code, const std::string& path,
                                 const std::string& part) {
    const Ended result = run(
        {"eval", folder_ / model_, "--data", folder_ / data_, "--parameters", folder_ / parameters_, "--output", path});
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_NE(result.err.find("error[" + code + "]"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  };
  expect_output(3, "file-write", folder_ / "missing/out.npz", "No such file");
  expect_output(3, "file-write", folder_.path(), "is a folder");
  expect_output(3, "file-write", "/proc/out.npz", "/proc/out.npz");
  expect_output(3, "file-write", "/dev/full", "not a regular file");
  if (geteuid() != 0) {
    std::filesystem::create_directory(folder_ / "readonly");
    std::filesystem::permissions(folder_ / "readonly",
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    expect_output(3, "file-write", folder_ / "readonly/out.npz", "Permission denied");
  }
  // What would destroy an input is refused, by whatever name.
  std::filesystem::create_hard_link(folder_ / "data.npz", folder_ / "link.npz");
  expect_output(2, "usage", folder_ / "data.npz", "replace the data");
  expect_output(2, "usage", folder_ / "link.npz", "replace the data");
  expect_output(2, "usage", folder_ / "model.srepr", "replace the model");
  expect_output(2, "usage", folder_ / "out.csv", "npz");
  expect_of(2, "usage", arguments({"--report", folder_ / "p.json"}), "replace the parameters");
  expect_of(2, "usage", arguments({"--report", out_}), "replace the output");
  // A report that cannot be written is found before the run; nothing stays of the output either.
  expect_of(3, "file-write", arguments({"--report", folder_ / "missing/report.json"}), "No such file");
  expect_of(3, "file-write",
            {"bench", folder_ / model_, "--data", folder_ / data_, "--parameters", folder_ / parameters_, "--json",
             folder_ / "missing/rows.json"});
  EXPECT_EQ(read_file(folder_ / "p.json"), R"({"a": 2.0})");
}

TEST_F(CliError, AFullDiskLeavesTheOlderOutput) {
  using namespace io::test;
  const std::vector<double> values(100000, 1.0);
  write_file(folder_ / "data.npz", npz({{"x", npy_f64(values)}, {"y", npy_f64(values)}}));
  // A file size limit stands for the full disk.
  const auto limit = [] {
    const rlimit size{100000, 100000};
    setrlimit(RLIMIT_FSIZE, &size);
  };
  expect_of(3, "file-write", arguments(), "File too large", limit);
  expect_of(3, "file-write", arguments({"--chunk", "1000"}), "File too large", limit);
  write_file(out_, "older");
  EXPECT_EQ(run(arguments(), limit).status, 3);
  EXPECT_EQ(read_file(out_), "older");
  EXPECT_EQ(folder_.files(), 4u);
}

TEST_F(CliError, AFullFileSystem) {
  if (geteuid() != 0) GTEST_SKIP() << "mounting needs root";
  const std::string mounted = folder_ / "small";
  std::filesystem::create_directory(mounted);
  if (mount("none", mounted.c_str(), "tmpfs", 0, "size=64k") != 0) GTEST_SKIP() << "no mounts here";
  const std::vector<double> values(100000, 1.0);
  write_file(folder_ / "data.npz", npz({{"x", io::test::npy_f64(values)}, {"y", io::test::npy_f64(values)}}));
  out_ = mounted + "/out.npz";
  expect(3, "file-write", "No space left");
  EXPECT_TRUE(std::filesystem::is_empty(mounted));
  umount(mounted.c_str());
}

TEST_F(CliError, NoMemory) {
  if (sanitized) GTEST_SKIP() << "a sanitizer needs the address space";
  write_file(folder_ / "model.srepr", "Add(Symbol('x'), Integer(1))");
  // A sparse file: 800 MB of zeros that take no disk, and an output that takes no less.
  using namespace io::test;
  const std::int64_t events = 100000000;
  write_file(folder_ / "x.npy", npy("<f8", "(" + std::to_string(events) + ",)", ""));
  std::filesystem::resize_file(folder_ / "x.npy",
                               std::filesystem::file_size(folder_ / "x.npy") + 8 * static_cast<std::uint64_t>(events));
  data_ = "x.npy";
  expect_of(3, "out-of-memory", arguments({"--threads", "1"}), "--chunk", [] {
    const rlimit space{rlim_t{1200} << 20, rlim_t{1200} << 20};
    setrlimit(RLIMIT_AS, &space);
  });
}

class CliInterrupt : public CliError {
 protected:
  // Starts a run of seconds, and signals it once its temporary file is there.
  void interrupt(int signal_number, int status, const std::string& mode) {
    using namespace io::test;
    std::string text = "sin(Add(Symbol('x'), Symbol('y')))";
    for (int i = 0; i < 60; ++i) text = "exp(sin(" + text + "))";
    write_file(folder_ / "model.srepr", text);
    const std::vector<double> values(2000000, 0.5);
    write_file(folder_ / "data.npz", npz({{"x", npy_f64(values)}, {"y", npy_f64(values)}}));
    const std::size_t before = folder_.files();
    const Program program(arguments({"--mode", mode, "--threads", "2", "--report", folder_ / "report.json"}));
    const timespec pause{0, 5000000};
    for (int i = 0; i < 4000 && folder_.files() < before + 2; ++i) nanosleep(&pause, nullptr);
    EXPECT_EQ(folder_.files(), before + 2);
    kill(program.pid(), signal_number);
    const Ended result = program.wait();
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_EQ(result.err, "frit: error[cancelled]: interrupted; nothing was written\n");
    EXPECT_EQ(folder_.files(), before);
  }
};

// Before anything is written: a model that takes a second or more to read and plan.
TEST_F(CliInterrupt, WhileReading) {
  std::string text = "Add(";
  for (int i = 0; i < 400000; ++i)
    text += "Mul(Symbol('x'), sin(Add(Symbol('y'), Integer(" + std::to_string(i) + ")))), ";
  write_file(folder_ / "model.srepr", text + "Symbol('x'))");
  const std::size_t before = folder_.files();
  for (const int signal_number : {SIGINT, SIGTERM}) {
    const Program program(arguments());
    const timespec pause{0, 100000000};
    nanosleep(&pause, nullptr);
    kill(program.pid(), signal_number);
    const Ended result = program.wait();
    EXPECT_EQ(result.status, 128 + signal_number) << result.err;
    EXPECT_EQ(result.err, "frit: error[cancelled]: interrupted; nothing was written\n");
    EXPECT_EQ(folder_.files(), before);
  }
}

TEST_F(CliInterrupt, InGraphMode) { interrupt(SIGINT, 130, "graph"); }
TEST_F(CliInterrupt, InEagerMode) { interrupt(SIGINT, 130, "eager"); }
TEST_F(CliInterrupt, Terminated) { interrupt(SIGTERM, 143, "graph"); }

TEST_F(CliError, AClosedPipeEndsQuietly) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  const Ended result = run({"--help"}, [&] { dup2(ends[1], STDOUT_FILENO); });
  close(ends[1]);
  EXPECT_EQ(result.status, 141);
  EXPECT_EQ(result.err, "");
  const Ended full = run({"--help"}, [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); });
  EXPECT_EQ(full.status, 3);
  EXPECT_NE(full.err.find("error[file-write]"), std::string::npos);
}

}  // namespace
}  // namespace frit::test
