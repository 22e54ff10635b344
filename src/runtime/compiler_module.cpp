#include "runtime/compiler_module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <vector>

#include "frit/error.hpp"

namespace frit::runtime {
namespace {

constexpr const char* module_name = "frit_llvm.so";

std::vector<std::filesystem::path> places() {
  if (const char* const named = std::getenv("FRIT_COMPILER_MODULE"); named != nullptr && *named != '\0') return {named};
  Dl_info info{};
  std::filesystem::path self;
  if (dladdr(reinterpret_cast<void*>(&compiler_is_missing), &info) != 0 && info.dli_fname != nullptr) {
    std::error_code error;
    self = std::filesystem::canonical(info.dli_fname, error);
    // A program is named as it was called, which may be no path.
    if (error || !std::filesystem::exists(self, error)) self = std::filesystem::read_symlink("/proc/self/exe", error);
  }
  const std::filesystem::path folder = self.parent_path();
  return {folder / ".." / "lib" / "frit" / module_name, folder / module_name};
}

std::string tried() {
  std::string text;
  for (const auto& place : places())
    text += fmt::format("{}{}", text.empty() ? "" : ", ", place.lexically_normal().string());
  return text;
}

Compiler& open_module() {
  for (const auto& place : places()) {
    std::error_code error;
    if (!std::filesystem::exists(place, error)) continue;
    void* const module = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) {
      const char* const why = dlerror();
      throw Error(ErrorCode::compiler_missing,
                  fmt::format("the compiler module cannot be opened: {}; install LLVM 19, or use "
                              "mode graph",
                              why != nullptr ? why : place.string()));
    }
    const auto make = reinterpret_cast<MakeCompiler>(dlsym(module, make_compiler_symbol));
    Compiler* const compiler = make == nullptr ? nullptr : make(compiler_interface_version);
    if (compiler == nullptr)
      throw Error(ErrorCode::compiler_version,
                  fmt::format("'{}' is not the compiler module of this version of frit ({}); build "
                              "both together",
                              place.string(), FRIT_VERSION));
    return *compiler;
  }
  throw Error(
      ErrorCode::compiler_missing,
      fmt::format("there is no compiler module (tried {}); build frit with LLVM 19, or use mode graph", tried()));
}

}  // namespace

Compiler& load_compiler() {
  // The module stays open: compiled code and LLVM's own tables live as long as the process.
  static std::mutex mutex;
  static Compiler* compiler = nullptr;
  const std::lock_guard lock(mutex);
  if (compiler == nullptr) compiler = &open_module();
  return *compiler;
}

std::string compiler_module_path() {
  for (const auto& place : places()) {
    std::error_code error;
    if (std::filesystem::exists(place, error)) return place.string();
  }
  return "";
}

std::string compiler_is_missing() {
  if (!compiler_module_path().empty()) return "";
  return fmt::format("there is no compiler module (tried {})", tried());
}

}  // namespace frit::runtime
