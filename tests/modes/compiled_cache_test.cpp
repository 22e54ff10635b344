// Kernels from the disk: the same bits, without the compiler's module; and whatever happens to the files, right answers and a note.
// Each case has processes of its own, and a folder.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "code/entry.hpp"
#include "code/identity.hpp"
#include "frit/frit.hpp"
#include "runtime/explain.hpp"
#include "runtime/kernel_key.hpp"
#include "support/child.hpp"
#include "support/compiled.hpp"
#include "support/random_graph.hpp"

namespace frit::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* model_text = "Add(Mul(Symbol('x'), exp(Symbol('a'))), sin(Symbol('x')))";

Function bind(Mode mode, const char* text = model_text, FunctionOptions options = {}) {
  options.mode = mode;
  return Engine{{.threads = 1}}.bind(Model::parse(text), {.columns = {{"x"}}, .parameters = {{"a"}}}, options);
}

bool from_cache(const Function& f) {
  const auto statistics = runtime::compile_statistics(f);
  return statistics && statistics->from_cache;
}

// Whether this process has opened the compiler or LLVM.
bool opened_llvm() {
  std::ifstream file("/proc/self/maps");
  const std::string maps{std::istreambuf_iterator<char>(file), {}};
  return maps.find("frit_llvm.so") != std::string::npos || maps.find("libLLVM") != std::string::npos;
}

template <class T = double> std::vector<T> call(const Function& f) {
  std::vector<T> x(1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(i) * static_cast<T>(0.01);
  const Result result = f(Columns().add("x", x), Parameters().set("a", 0.25));
  const auto values = result.values<T>(0);
  return {values.begin(), values.end()};
}

// "compiled" or "cached", "llvm" where this process has it, and notes: what a process says of one function.
std::string said(const Function& f) {
  if (call(f) != call(bind(Mode::graph))) return "other bits";
  std::string text =
      std::string(name_of(f.mode_used())) + (from_cache(f) ? " cached" : "") + (opened_llvm() ? " llvm" : "");
  for (const std::string& note : f.notes()) text += "; " + note;
  return text;
}

class KernelCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    FRIT_NEEDS_COMPILER();
    std::string name = (fs::temp_directory_path() / "frit_cache_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    top_ = name;
    folder_ = top_ / "a" / "b";
    setenv("FRIT_CACHE", "1", 1);
    setenv("FRIT_CACHE_DIR", folder_.c_str(), 1);
    unsetenv("FRIT_CACHE_SIZE");
  }
  void TearDown() override {
    setenv("FRIT_CACHE", "0", 1);
    if (!top_.empty()) fs::remove_all(top_);
  }
  // One process that binds and calls.
  static std::string in_process(Mode mode = Mode::compiled) {
    return in_child([mode] { return said(bind(mode)); });
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> paths;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error)) paths.push_back(entry.path());
    return paths;
  }
  fs::path only_file() const {
    const auto paths = files();
    EXPECT_EQ(paths.size(), 1u);
    return paths.empty() ? fs::path() : paths.front();
  }
  static std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void replace(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  }
  std::string ignored(const std::string& why) const {
    return "compiled llvm; the cached kernel \"" + only_file().string() + "\" is ignored: " + why;
  }
  fs::path top_, folder_;
};

TEST_F(KernelCacheTest, TheSecondProcessOpensNoCompiler) {
  EXPECT_EQ(in_process(), "compiled llvm");
  EXPECT_EQ(in_process(), "compiled cached");
  // Mode auto has the code at its first call.
  EXPECT_EQ(in_process(Mode::automatic), "compiled cached");
  struct stat status {};
  ASSERT_EQ(stat(folder_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(stat(only_file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(KernelCacheTest, ModeAutoKeepsWhatItCompiles) {
  EXPECT_EQ(in_child([] {
              const Function f = bind(Mode::automatic);
              for (int i = 0; i < 100'000 && f.mode_used() == Mode::graph; ++i) (void)call(f);
              (void)f.wait_for_code(60);
              return said(f);
            }),
            "compiled llvm");
  EXPECT_EQ(in_process(Mode::automatic), "compiled cached");
}

// Each loop of a traced function is kept, and its notes are the function's.
TEST_F(KernelCacheTest, TracedFunctionsAsWell) {
  const auto process = [] {
    return in_child([]() -> std::string {
      const Engine engine({.threads = 1});
      const Array x = array(engine, {0.0, 0.5, 1.0, 2.0});
      const auto of = [](Array a) { return exp(a * a) - sin(a); };
      const auto f = traced(engine, of, {.mode = Mode::compiled});
      if (f(x).values<double>() != of(x).values<double>()) return "other bits";
      std::string text = opened_llvm() ? "llvm" : "cached";
      for (const std::string& note : f.notes()) text += "; " + note;
      return text;
    });
  };
  EXPECT_EQ(process(), "llvm");
  EXPECT_EQ(process(), "cached");
  replace(only_file(), "x");
  EXPECT_EQ(process(), "llvm; the cached kernel \"" + only_file().string() + "\" is ignored: it is cut");
}

TEST_F(KernelCacheTest, SwitchedOff) {
  EXPECT_EQ(in_child([] {
              const Function f = Engine{{.threads = 1, .cache = false}}.bind(
                  Model::parse(model_text), {.columns = {{"x"}}, .parameters = {{"a"}}}, {.mode = Mode::compiled});
              return said(f);
            }),
            "compiled llvm");
  setenv("FRIT_CACHE", "0", 1);
  EXPECT_EQ(in_process(), "compiled llvm");
  EXPECT_FALSE(fs::exists(top_ / "a"));
}

// Programs of several functions, dtypes and options: what is kept is what runs.
TEST_F(KernelCacheTest, TheSameBitsOfAnyProgram) {
  const std::string text = in_child([]() -> std::string {
    runtime::KernelCache cache;
    int kernels = 0;
    for (const DType dtype : {DType::f64, DType::f32}) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const plan::Plan plan = plan::make_plan(random_graph(seed, dtype, {.nodes = 80, .outputs = 4}));
        for (const How& how : {How{}, {.effort = 0}, {.width = 2}, {.full_form = true, .largest_function = 100}}) {
          const auto key = runtime::kernel_key("plan", runtime::key_bytes(plan, how));
          if (runtime::find_kernel(cache, key) != nullptr) return "found before it was kept";
          const auto kernel = compile(plan, how);
          runtime::keep_kernel(cache, key, *kernel, runtime::load_compiler());
          const auto kept = runtime::find_kernel(cache, key);
          if (kept == nullptr) return "not found";
          const auto a = kernel->image().bytes, b = kept->image().bytes;
          const CompileStatistics &s = kernel->statistics(), &t = kept->statistics();
          if (!std::equal(a.begin(), a.end(), b.begin(), b.end()) || kept->arena_rows() != kernel->arena_rows() ||
              kept->functions().size() != kernel->functions().size() || s.operations != t.operations ||
              s.code_bytes != t.code_bytes || s.width != t.width || s.vectors != t.vectors || s.target != t.target ||
              s.estimated_roots != t.estimated_roots || s.functions != t.functions || !t.from_cache || t.codegen_s != 0)
            return "another kernel";
          for (std::size_t i = 0; i < kernel->functions().size(); ++i) {
            const auto offset = [i](const CompiledKernel& k) {
              return reinterpret_cast<const std::byte*>(k.functions()[i]) - k.image().bytes.data();
            };
            if (offset(*kernel) != offset(*kept)) return "another entry";
          }
          ++kernels;
        }
      }
    }
    return cache.notes().empty() ? std::to_string(kernels) : cache.notes().front();
  });
  EXPECT_EQ(text, "32");
  // And run: f32, and a large function in pieces.
  std::string large = "Add(";
  for (int i = 1; i <= 200; ++i)
    large += "exp(sin(Mul(Integer(" + std::to_string(i) + "), Symbol('a'), Symbol('x')))), ";
  large += "Integer(1))";
  for (const DType dtype : {DType::f64, DType::f32}) {
    for (int round = 0; round < 2; ++round) {
      EXPECT_EQ(in_child([&]() -> std::string {
                  const Function f = bind(Mode::compiled, large.c_str(), {.dtype = dtype, .compiler = {.effort = 0}});
                  const Function g = bind(Mode::graph, large.c_str(), {.dtype = dtype});
                  if (dtype == DType::f64 ? call(f) != call(g) : call<float>(f) != call<float>(g)) return "other bits";
                  if (runtime::compile_statistics(f)->functions < 2) return "one function";
                  return from_cache(f) ? "cached" : "compiled";
                }),
                round == 0 ? "compiled" : "cached");
    }
  }
}

TEST_F(KernelCacheTest, EveryOptionAndEveryPartOfThePlanIsInTheKey) {
  const plan::Plan plan = plan::make_plan(random_graph(3, DType::f64, {.nodes = 40, .outputs = 3}));
  std::vector<std::vector<std::byte>> keys;
  const auto add = [&](const plan::Plan& p, const CompileOptions& how) { keys.push_back(runtime::key_bytes(p, how)); };
  add(plan, {});
  for (const How& how : {How{.effort = 0},
                         {.effort = 2},
                         {.width = 2},
                         {.target = "x86-64-v3"},
                         {.full_form = true},
                         {.largest_function = 9},
                         {.vectors = 1},
                         {.roots = CompileOptions::Roots::divider},
                         {.functions = CompileOptions::Functions::called}})
    add(plan, how);
  const auto changed = [&](const std::function<void(plan::Plan&)>& change) {
    plan::Plan other = plan;
    change(other);
    add(other, {});
  };
  changed([](plan::Plan& p) { p.dtype = DType::f32; });
  changed([](plan::Plan& p) { ++p.buffers; });
  changed([](plan::Plan& p) { ++p.scalars; });
  changed([](plan::Plan& p) { p.loop.pop_back(); });
  changed([](plan::Plan& p) { ++p.loop.back().parts[0].index; });
  changed([](plan::Plan& p) { p.outputs[0].dtype = DType::boolean; });
  changed([](plan::Plan& p) { ++p.outputs[0].parts[0].index; });
  changed([](plan::Plan& p) { p.columns.push_back({}); });
  changed([](plan::Plan& p) { p.constants.push_back({}); });
  changed([](plan::Plan& p) { p.parameters.push_back({}); });
  changed([](plan::Plan& p) { p.arguments[0].role = Role::constant; });
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
  // What code cannot depend on.
  plan::Plan renamed = plan;
  renamed.arguments[0].name += "_";
  renamed.outputs[0].name += "_";
  EXPECT_EQ(runtime::key_bytes(renamed, How{.threads = 3}), runtime::key_bytes(plan, {}));
  EXPECT_NE(runtime::kernel_key("plan", {}), runtime::kernel_key("other", {}));
}

TEST_F(KernelCacheTest, DamagedFilesAreIgnoredNotedAndReplaced) {
  EXPECT_EQ(in_process(), "compiled llvm");
  const fs::path file = only_file();
  const std::string good = content(file);
  code::EntryHeader header;
  std::memcpy(&header, good.data(), sizeof header);
  const std::size_t key = sizeof header, details = key + header.key_bytes, entries = details + header.details_bytes,
                    image = entries + 8 * header.entry_count;
  ASSERT_EQ(image + header.image_bytes, good.size());
  for (const std::size_t at : {key, key + header.key_bytes / 2, details, entries - 1, entries, image, image + 64,
                               image + header.code_bytes, good.size() - 1}) {
    std::string damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    replace(file, damaged);
    EXPECT_EQ(in_process(), ignored("its checksum is wrong")) << at;
    EXPECT_EQ(content(file), good);
    EXPECT_EQ(in_process(), "compiled cached");
  }
  const std::vector<std::pair<std::string, const char*>> others{
      {"", "it is cut"},
      {good.substr(0, 40), "it is cut"},
      {good.substr(0, good.size() - 1), "its length is not what it says"},
      {std::string(5000, 'x'), "it is no compiled kernel"}};
  for (const auto& [text, why] : others) {
    replace(file, text);
    EXPECT_EQ(in_process(), ignored(why));
    EXPECT_EQ(in_process(Mode::automatic), "compiled cached");
  }
}

// A whole and sound entry, but of another CPU, version, compiler or function under the same name.
TEST_F(KernelCacheTest, TheEntryOfAnotherKeyIsIgnored) {
  EXPECT_EQ(in_process(), "compiled llvm");
  const fs::path file = only_file();
  const std::string good = content(file);
  code::EntryHeader header;
  std::memcpy(&header, good.data(), sizeof header);
  const auto part = [&](std::size_t at, std::size_t size) { return std::as_bytes(std::span(good)).subspan(at, size); };
  const std::string key = good.substr(sizeof header, header.key_bytes);
  for (const std::string& word : {std::string(FRIT_VERSION), code::library_identity(runtime::compiler_module_path()),
                                  code::cpu_identity(), std::string("plan")}) {
    std::string other = key;
    const std::size_t at = other.find(word);
    ASSERT_NE(at, std::string::npos) << word;
    other[at] = static_cast<char>(other[at] ^ 1);
    std::vector<std::uint64_t> entries(header.entry_count);
    const std::size_t details = sizeof header + header.key_bytes, offsets = details + header.details_bytes;
    std::memcpy(entries.data(), good.data() + offsets, 8 * entries.size());
    // Code that would end the process.
    const std::vector<std::byte> trap(header.image_bytes, std::byte{0xcc});
    const auto bytes = code::write_entry(std::as_bytes(std::span(other)), part(details, header.details_bytes),
                                         {trap, header.code_bytes, entries});
    replace(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    EXPECT_EQ(in_process(), ignored("it is of another function")) << word;
  }
}

// The module's own file is in the key; LLVM's library is known only once it is loaded.
TEST_F(KernelCacheTest, AnotherLlvmMakesTheEntryOld) {
  struct Elsewhere final : Compiler {
    explicit Elsewhere(fs::path path) : path_(std::move(path)) {}
    std::string version() const override { return "19"; }
    std::string library() const override { return path_; }
    std::unique_ptr<CompiledKernel> compile(const plan::Plan&, const CompileOptions&) override { return nullptr; }
    std::unique_ptr<CompiledKernel> compile(const plan::Routine&, const CompileOptions&) override { return nullptr; }
    fs::path path_;
  };
  const fs::path library = top_ / "libLLVM.so";
  replace(library, "one");
  const auto key = runtime::kernel_key("plan", {});
  const auto find = [&] {
    return in_child([&]() -> std::string {
      runtime::KernelCache cache;
      if (runtime::find_kernel(cache, key) != nullptr) return "found";
      return cache.notes().empty() ? "none" : cache.notes().front().substr(cache.notes().front().rfind(':'));
    });
  };
  EXPECT_EQ(find(), "none");
  EXPECT_EQ(in_child([&]() -> std::string {
              runtime::KernelCache cache;
              const auto kernel = compile(plan::make_plan(random_graph(1, DType::f64, {.nodes = 3, .outputs = 1})));
              runtime::keep_kernel(cache, key, *kernel, Elsewhere(library));
              return "kept";
            }),
            "kept");
  EXPECT_EQ(find(), "found");
  replace(library, "another");
  EXPECT_EQ(find(), ": LLVM has changed since it was made");
  fs::remove(library);
  EXPECT_EQ(find(), ": LLVM has changed since it was made");
}

TEST_F(KernelCacheTest, WhatOthersMayWriteIsNotRun) {
  EXPECT_EQ(in_process(), "compiled llvm");
  const fs::path file = only_file();
  for (const mode_t mode : {0620, 0602}) {
    ASSERT_EQ(chmod(file.c_str(), mode), 0);
    EXPECT_EQ(in_process(), ignored("others may write to it"));
    EXPECT_EQ(in_process(), "compiled cached");  // replaced
  }
  const std::string not_kept = "compiled llvm; compiled kernels are not kept in \"" + folder_.string() + "\": ";
  for (const mode_t mode : {0770, 0707, 01777}) {
    ASSERT_EQ(chmod(folder_.c_str(), mode), 0);
    EXPECT_EQ(in_process(), not_kept + "others may write to it");
  }
  ASSERT_EQ(chmod(folder_.c_str(), 0700), 0);
  if (geteuid() == 0) {
    ASSERT_EQ(chown(file.c_str(), 1, 1), 0);
    EXPECT_EQ(in_process(), ignored("it belongs to another user"));
    ASSERT_EQ(chown(folder_.c_str(), 1, 1), 0);
    EXPECT_EQ(in_process(), not_kept + "it belongs to another user");
    ASSERT_EQ(chown(folder_.c_str(), 0, 0), 0);
  }
  // Nothing but a file is read, and nothing waits for a pipe.
  const auto in_its_place = [&](const char* why) {
    EXPECT_NE(in_process().find(why), std::string::npos) << in_process();
    fs::remove_all(file);
  };
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  in_its_place("it is no regular file");
  fs::create_directory(file);
  in_its_place("it is no regular file");
  replace(top_ / "elsewhere", "x");
  fs::create_symlink(top_ / "elsewhere", file);
  in_its_place("Too many levels of symbolic links");
}

TEST_F(KernelCacheTest, NoRoomIsANote) {
  const std::string full = in_child([] {
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    return said(bind(Mode::compiled));
  });
  EXPECT_EQ(full.substr(0, 58), "compiled llvm; a compiled kernel is not kept: cannot write") << full;
  EXPECT_NE(full.find("File too large"), std::string::npos) << full;
  EXPECT_TRUE(files().empty());
  setenv("FRIT_CACHE_SIZE", "1K", 1);
  EXPECT_NE(in_process().find("is not kept: the cache holds 1024 bytes"), std::string::npos);
  unsetenv("FRIT_CACHE_SIZE");
  replace(top_ / "file", "");
  for (const fs::path& folder : {top_ / "file", top_ / "file" / "below", fs::path("/proc/frit/cache")}) {
    setenv("FRIT_CACHE_DIR", folder.c_str(), 1);
    const std::string text = in_process();
    EXPECT_TRUE(text.starts_with("compiled llvm; compiled kernels are not kept in \"" + folder.string() + "\": "))
        << text;
  }
}

TEST_F(KernelCacheTest, TheLongestUnusedLeaveWhenItIsFull) {
  const auto model = [](int i) { return "Mul(Symbol('x'), Symbol('a'), Integer(" + std::to_string(i) + "))"; };
  const auto process = [&](int i) {
    return in_child([&] { return from_cache(bind(Mode::compiled, model(i).c_str())) ? "cached" : "compiled"; });
  };
  EXPECT_EQ(process(2), "compiled");
  const auto bytes = static_cast<std::int64_t>(fs::file_size(only_file()));
  setenv("FRIT_CACHE_SIZE", std::to_string(3 * bytes + 200).c_str(), 1);
  EXPECT_EQ(process(3), "compiled");
  EXPECT_EQ(process(4), "compiled");
  EXPECT_EQ(files().size(), 3u);
  EXPECT_EQ(process(2), "cached");  // used now
  EXPECT_EQ(process(5), "compiled");
  EXPECT_EQ(files().size(), 3u);
  EXPECT_EQ(process(2), "cached");
  EXPECT_EQ(process(3), "compiled");  // the one that had left
  EXPECT_EQ(files().size(), 3u);
}

TEST_F(KernelCacheTest, KilledWhileItWrites) {
  const auto key = runtime::kernel_key("plan", {});
  const std::vector<std::byte> image(3 << 20);
  const std::uint64_t entries[] = {0};
  const auto store = [&] { runtime::KernelCache().store(key, {}, {image, code::page_bytes, entries}); };
  store();
  std::size_t begun = 0;
  for (int i = 0; i < 1000 && begun < 5; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (;;) store();
    }
    usleep(static_cast<useconds_t>(1000 + 1500 * (i % 100)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    begun = 0;
    for (const fs::path& file : files()) begun += file.extension() == ".tmp" ? 1 : 0;
  }
  EXPECT_GT(begun, 0u) << "no process was ended in the middle";
  runtime::KernelCache cache;
  EXPECT_TRUE(cache.find(key).has_value());
  EXPECT_TRUE(cache.notes().empty());
  // A process that has just begun may still be at it; what is old is swept.
  EXPECT_EQ(in_process(), "compiled llvm");
  EXPECT_EQ(files().size(), begun + 2);
  for (const fs::path& file : files())
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_EQ(in_child([] { return said(bind(Mode::compiled, model_text, {.compiler = {.effort = 0}})); }),
            "compiled llvm");
  EXPECT_EQ(files().size(), 3u);
}

TEST_F(KernelCacheTest, SeveralProcessesAtOnce) {
  setenv("FRIT_CACHE_SIZE", "40K", 1);  // they also remove each other's
  std::vector<pid_t> children;
  for (int k = 0; k < 6; ++k) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(120);
      int status = 0;
      for (int i = 0; i < 12 && status == 0; ++i) {
        const std::string text = "Mul(sin(Symbol('x')), Symbol('a'), Integer(" + std::to_string(2 + i % 5) + "))";
        const Function f = bind(Mode::compiled, text.c_str());
        if (call(f) != call(bind(Mode::graph, text.c_str()))) status = 1;
        if (!f.notes().empty()) status = 2;
      }
      _exit(status);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  for (const fs::path& file : files()) EXPECT_EQ(file.extension(), ".kernel");
}

// Several threads of one process, which share the identities of libraries and the compiler.
TEST_F(KernelCacheTest, SeveralThreadsAtOnce) {
  EXPECT_EQ(in_child([] {
              const std::vector<double> want = call(bind(Mode::graph));
              std::atomic<int> wrong{0};
              std::vector<std::thread> threads;
              for (int k = 0; k < 4; ++k) {
                threads.emplace_back([&] {
                  for (int i = 0; i < 4; ++i) {
                    const Function f = bind(i % 2 == 0 ? Mode::compiled : Mode::automatic);
                    if (call(f) != want || !f.notes().empty()) ++wrong;
                  }
                });
              }
              for (std::thread& thread : threads) thread.join();
              return std::to_string(wrong);
            }),
            "0");
}

TEST_F(KernelCacheTest, WhereTheEnvironmentSays) {
  const auto folder = [](const char* dir, const char* xdg, const char* home) {
    setenv("FRIT_CACHE_DIR", dir, 1);
    setenv("XDG_CACHE_HOME", xdg, 1);
    setenv("HOME", home, 1);
    const auto settings = runtime::CacheSettings::of_environment();
    return settings.off.empty() ? settings.folder.string() : "off: " + settings.off;
  };
  const auto folders = in_child([&] {
    return folder("/d", "/x", "/h") + " " + folder("", "/x", "/h") + " " + folder("", "", "/h") + " " +
           folder("", "x", "/h") + " " + folder("", "", "");
  });
  EXPECT_EQ(folders, "/d /x/frit /h/.cache/frit /h/.cache/frit off: neither FRIT_CACHE_DIR nor HOME says where");
  const auto size = [](const char* text) {
    setenv("FRIT_CACHE_SIZE", text, 1);
    const auto settings = runtime::CacheSettings::of_environment();
    return settings.notes.empty() ? settings.most_bytes : -1;
  };
  EXPECT_EQ(size(""), 256 << 20);
  EXPECT_EQ(size("0"), 0);
  EXPECT_EQ(size("12345"), 12345);
  EXPECT_EQ(size("3K"), 3 << 10);
  EXPECT_EQ(size("64M"), 64 << 20);
  EXPECT_EQ(size("2G"), std::int64_t{2} << 30);
  for (const char* wrong : {"-1", "M", "1k", "1MB", "1.5G", " 1", "99999999999999999999", "9999999999G"})
    EXPECT_EQ(size(wrong), -1) << wrong;
  setenv("FRIT_CACHE_SIZE", "lots", 1);
  const std::string text = in_process();
  EXPECT_NE(text.find("; FRIT_CACHE_SIZE is bytes, or a number with K, M or G after it, not \"lots\""),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace frit::test
