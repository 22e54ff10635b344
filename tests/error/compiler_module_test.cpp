// The compiler module missing, broken or of another version; options that do not exist; no memory, threads or executable
// memory: a clear error or a reported fallback, and results all the same. Each case has a process of its own, since the
// module is opened once in a process.
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <climits>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "frit/frit.hpp"
#include "support/child.hpp"
#include "support/compiled.hpp"
#include "support/guarded.hpp"
#include "support/random_graph.hpp"

namespace frit::test {
namespace {

constexpr const char* model_text = "Add(Mul(Symbol('x'), exp(Symbol('a'))), sin(Symbol('x')))";

Function bind(Mode mode, CompilerOptions compiler = {}, int threads = 1) {
  const Engine engine{{.threads = threads}};
  return engine.bind(Model::parse(model_text), {.columns = {{"x"}}, .parameters = {{"a"}}},
                     {.mode = mode, .compiler = std::move(compiler)});
}

std::vector<double> call(const Function& f) {
  std::vector<double> x(1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i) * 0.01;
  const Result result = f(Columns().add("x", x), Parameters().set("a", 0.25));
  const auto values = result.values<double>(0);
  return {values.begin(), values.end()};
}

std::string notes_of(const Function& f) {
  std::string text;
  for (const std::string& note : f.notes()) text += note + "\n";
  return text;
}

void use_module(const std::string& path) { setenv("FRIT_COMPILER_MODULE", path.c_str(), 1); }

struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "frit_module_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

#define EXPECT_STARTS(text, start) EXPECT_EQ(std::string(text).substr(0, std::string(start).size()), start) << (text)

TEST(CompilerModule, MissingIsAnErrorInModeCompiledAndANoteInModeAuto) {
  const std::string text = in_child([] {
    use_module("/nonexistent/frit_llvm.so");
    return bind(Mode::compiled).mode_used() == Mode::compiled ? "compiled" : "not compiled";
  });
  EXPECT_STARTS(text, "error[compiler-missing]: ");
  EXPECT_NE(text.find("/nonexistent/frit_llvm.so"), std::string::npos) << text;
  const std::string automatic = in_child([] {
    use_module("/nonexistent/frit_llvm.so");
    const Function f = bind(Mode::automatic);
    for (int i = 0; i < 20; ++i) (void)call(f);
    if (f.wait_for_code(0.1) || f.mode_used() != Mode::graph) return std::string("compiled");
    if (call(f) != call(bind(Mode::graph))) return std::string("other bits");
    return notes_of(f);
  });
  EXPECT_NE(automatic.find("mode auto stays on the graph: there is no compiler module"), std::string::npos)
      << automatic;
}

TEST(CompilerModule, AFileThatIsNoModule) {
  const Folder folder;
  const auto garbage = folder.path / "garbage.so", empty = folder.path / "empty.so";
  std::ofstream(garbage) << std::string(5000, 'g');
  std::ofstream(empty).flush();
  for (const auto& path : {garbage, empty, folder.path}) {
    EXPECT_STARTS(in_child([&] {
                    use_module(path);
                    (void)bind(Mode::compiled);
                    return std::string("bound");
                  }),
                  "error[compiler-missing]: the compiler module cannot be opened: ");
    // In mode auto the calls go on as before.
    EXPECT_EQ(in_child([&]() -> std::string {
                use_module(path);
                const Function f = bind(Mode::automatic);
                std::vector<double> got;
                for (int i = 0; i < 3000; ++i) got = call(f);
                (void)f.wait_for_code(10);
                return got == call(bind(Mode::graph)) && f.mode_used() == Mode::graph ? "graph" : "not graph";
              }),
              "graph");
  }
}

TEST(CompilerModule, AnotherVersion) {
  for (const char* module : {FRIT_OTHER_VERSION, FRIT_NO_ENTRY}) {
    const std::string text = in_child([&] {
      use_module(module);
      (void)bind(Mode::compiled);
      return std::string("bound");
    });
    EXPECT_STARTS(text, "error[compiler-version]: ");
    EXPECT_NE(text.find(module), std::string::npos) << text;
  }
}

TEST(CompilerOptions, WhatDoesNotExistIsAUsageError) {
  FRIT_NEEDS_COMPILER();
  const auto error_of = [](CompilerOptions options) {
    return in_child([&] {
      (void)bind(Mode::compiled, options);
      return std::string("bound");
    });
  };
  for (const char* target : {"x86-64-v2", "pentium", "X86-64-V3", "x86-64-v3 ", "aarch64", "+avx512f"})
    EXPECT_STARTS(error_of({.target = target}), "error[usage]: no target '" + std::string(target) + "'");
  for (int width : {-1, 3, 5, 12, 16, 32, 64, INT_MIN, INT_MAX, 1 << 28, 1 << 29, 1 << 30})
    EXPECT_STARTS(error_of({.width = width}), "error[usage]: the width is a power of two of at most 8 lanes, not ");
  for (int effort : {-1, 3, 100, INT_MIN, INT_MAX})
    EXPECT_STARTS(error_of({.effort = effort}), "error[usage]: the effort is 0, 1 or 2, not ");
  EXPECT_EQ(error_of({.effort = 2, .width = 8}), "bound");
}

#ifndef FRIT_SANITIZED

// Lets the process have `kilobytes` more than it has. Of its data, since a heap reserves addresses ahead of its use.
void limit_memory(std::size_t kilobytes) {
  std::ifstream status("/proc/self/status");
  std::size_t used = 0;
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmData:")) used = std::stoul(line.substr(7));
  }
  const rlimit data{(used + kilobytes) * 1024, (used + kilobytes) * 1024};
  if (used == 0 || setrlimit(RLIMIT_DATA, &data) != 0) throw std::runtime_error("no limit");
}

plan::Plan large_plan() { return plan::make_plan(random_graph(3, DType::f64, {.nodes = 600, .outputs = 12})); }

TEST(CompilerMemory, TooLittleIsAnErrorAtAnyPoint) {
  FRIT_NEEDS_COMPILER();
  int refused = 0, compiled = 0;
  std::string kinds;
  for (bool opened : {false, true}) {
    // In steps of a few allocations where LLVM is there, of its start where it is not.
    for (std::size_t kilobytes = 0; kilobytes < 60'000; kilobytes += opened && kilobytes < 3'000 ? 125 : 5'000) {
      const std::string text = in_child([&]() -> std::string {
        const plan::Plan plan = large_plan();
        const Function graph = bind(Mode::graph);
        const std::vector<double> want = call(graph);
        if (opened) (void)compile(plan::make_plan(random_graph(1, DType::f64, {.nodes = 3, .outputs = 1})));
        limit_memory(kilobytes);
        std::string result;
        for (int round = 0; round < 2; ++round) {
          try {
            (void)compile(plan, {.effort = 1, .threads = 2, .functions = CompileOptions::Functions::in_line});
            result += "compiled ";
          } catch (const Error& error) {
            result += "error[" + std::string(frit::name_of(error.code())) + "] ";
          } catch (const std::bad_alloc&) {
            result += "bad_alloc ";
          }
        }
        // The graph goes on.
        return result + (call(graph) == want ? "graph" : "other bits");
      });
      const bool clear = text == "error[out-of-memory] error[out-of-memory] graph" ||
                         text == "error[compiler-missing] error[compiler-missing] graph";
      // Binding the graph takes memory as well.
      const bool nothing_left = text.rfind("error[out-of-memory]: ", 0) == 0 || text == "exception: std::bad_alloc";
      const bool done = text == "compiled compiled graph" || text == "compiled error[out-of-memory] graph" ||
                        text == "error[out-of-memory] compiled graph";
      EXPECT_TRUE(clear || done || nothing_left) << kilobytes << " kB: " << text;
      refused += clear ? 1 : 0;
      compiled += done ? 1 : 0;
    }
  }
  EXPECT_GT(refused, 5);
  EXPECT_GT(compiled, 2);
}

TEST(CompilerMemory, InModeAutoTheGraphGoesOn) {
  FRIT_NEEDS_COMPILER();
  EXPECT_EQ(in_child([]() -> std::string {
              const std::vector<double> want = call(bind(Mode::graph));
              const Function f = bind(Mode::automatic);
              limit_memory(4000);
              for (int i = 0; i < 3000; ++i) {
                if (call(f) != want) return "other bits";
              }
              return f.wait_for_code(60) ? "compiled" : "graph";
            }),
            "graph");
}

// A filter that refuses a system call where an argument has a bit.
void refuse(unsigned call, unsigned argument, std::uint32_t bit) {
  const auto at = static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * argument);
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bit, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{sizeof filter / sizeof filter[0], filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    throw std::runtime_error("no seccomp");
}

TEST(CompilerMemory, NoExecutableMemory) {
  FRIT_NEEDS_COMPILER();
  const std::string text = in_child([]() -> std::string {
    refuse(SYS_mprotect, 2, PROT_EXEC);
    (void)bind(Mode::compiled);
    return "bound";
  });
  if (text == "exception: no seccomp") GTEST_SKIP() << "this machine has no seccomp";
  EXPECT_STARTS(text, "error[out-of-memory]: no executable memory for compiled code: ");
  EXPECT_EQ(in_child([]() -> std::string {
              const Function f = bind(Mode::automatic);
              refuse(SYS_mprotect, 2, PROT_EXEC);
              for (int i = 0; i < 3000; ++i) (void)call(f);
              if (f.wait_for_code(60)) return "compiled";
              return call(f) == call(bind(Mode::graph)) ? "graph" : "other bits";
            }),
            "graph");
}

TEST(CompilerMemory, NoThreadToCompileOn) {
  FRIT_NEEDS_COMPILER();
  if (geteuid() != 0) {
    EXPECT_STARTS(in_child([]() -> std::string {
                    const rlimit none{0, 0};
                    setrlimit(RLIMIT_NPROC, &none);
                    (void)bind(Mode::compiled, {}, 4);
                    return "bound";
                  }),
                  "error[out-of-memory]: ");
    return;
  }
  // The limit does not hold for root: the call itself is refused.
  const std::string text = in_child([]() -> std::string {
    refuse(SYS_clone3, 1, 0xffffffff);
    refuse(SYS_clone, 0, 0x00010000);  // CLONE_THREAD
    (void)bind(Mode::compiled);
    return "bound";
  });
  if (text == "exception: no seccomp") GTEST_SKIP() << "this machine has no seccomp";
  EXPECT_STARTS(text, "error[out-of-memory]: ");
}

// LLVM needs more stack than the caller of a library may have.
TEST(CompilerMemory, BindingAndCallingOnASmallStack) {
  FRIT_NEEDS_COMPILER();
  EXPECT_EQ(in_child([]() -> std::string {
              pthread_attr_t attributes;
              pthread_attr_init(&attributes);
              pthread_attr_setstacksize(&attributes, 64 * 1024);
              static std::string text;
              const auto body = [](void*) -> void* {
                const Function f = bind(Mode::compiled);
                text = call(f) == call(bind(Mode::graph)) ? "compiled" : "other bits";
                return nullptr;
              };
              pthread_t thread;
              if (pthread_create(&thread, &attributes, body, nullptr) != 0) return "no thread";
              pthread_join(thread, nullptr);
              return text;
            }),
            "compiled");
}

#else

TEST(CompilerMemory, UnderASanitizer) {
  GTEST_SKIP() << "a sanitizer's run-time does not go on under limits of memory, threads and system calls";
}

#endif

}  // namespace
}  // namespace frit::test
