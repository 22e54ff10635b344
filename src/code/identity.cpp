#include "code/identity.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <vector>

#include "core/descriptor.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace frit::code {
namespace {

#if defined(__x86_64__)

std::string ask_cpu() {
  std::string text;
  // NOTE: ebx of leaf 1 names the core that this runs on, and is left out; the others are the same on every core.
  const auto add = [&](unsigned leaf, unsigned subleaf, bool with_b = true) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid_count(leaf, subleaf, &a, &b, &c, &d) != 0)
      text += fmt::format("{:x}.{}:{:x},{:x},{:x},{:x};", leaf, subleaf, a, with_b ? b : 0, c, d);
  };
  add(0, 0);         // vendor
  add(1, 0, false);  // family, model, stepping; features
  add(7, 0);
  add(7, 1);
  add(0xd, 1);
  add(0x14, 0);
  add(0x19, 0);
  add(0x24, 0);
  add(0x80000001, 0);
  add(0x80000008, 0);
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_OSXSAVE) != 0) {
    std::uint32_t low = 0, high = 0;
    asm("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    text += fmt::format("xcr0:{:x},{:x}", high, low);
  }
  return text;
}

#else

// Where LLVM looks as well.
std::string ask_cpu() {
  std::ifstream file("/proc/cpuinfo");
  std::set<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    for (const char* const start : {"CPU implementer", "CPU variant", "CPU part", "CPU revision", "Features"}) {
      if (line.starts_with(start)) lines.insert(line);
    }
  }
  std::string text;
  for (const std::string& line : lines) text += line + ";";
  return text;
}

#endif

template <class T> bool read_at(int fd, std::uint64_t offset, T* values, std::size_t count = 1) {
  const std::size_t size = count * sizeof(T);
  return ::pread(fd, values, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

// The description of the note NT_GNU_BUILD_ID as hexadecimal digits, or "".
std::string build_id(int fd) {
  Elf64_Ehdr header;
  if (!read_at(fd, 0, &header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
    return "";
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  if (!read_at(fd, header.e_phoff, segments.data(), segments.size())) return "";
  for (const Elf64_Phdr& segment : segments) {
    constexpr std::uint64_t most_bytes = 1 << 16;
    if (segment.p_type != PT_NOTE || segment.p_filesz > most_bytes) continue;
    std::vector<unsigned char> notes(segment.p_filesz);
    if (!read_at(fd, segment.p_offset, notes.data(), notes.size())) continue;
    const std::size_t alignment = segment.p_align == 8 ? 8 : 4;
    const auto aligned = [&](std::size_t size) { return (size + alignment - 1) / alignment * alignment; };
    for (std::size_t at = 0; notes.size() - at >= sizeof(Elf64_Nhdr);) {
      Elf64_Nhdr note;
      std::memcpy(&note, notes.data() + at, sizeof note);
      const std::size_t name = at + sizeof note, text = name + aligned(note.n_namesz);
      if (text + note.n_descsz > notes.size()) break;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes.data() + name, "GNU", 4) == 0) {
        std::string id;
        for (std::size_t i = 0; i < note.n_descsz; ++i) id += fmt::format("{:02x}", notes[text + i]);
        return id;
      }
      at = text + aligned(note.n_descsz);
      if (at > notes.size()) break;
    }
  }
  return "";
}

}  // namespace

const std::string& cpu_identity() {
  static const std::string identity = ask_cpu();
  return identity;
}

std::string library_identity(const std::filesystem::path& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.fd < 0) return "";
  struct stat status {};
  std::string identity;
  if (::fstat(file.fd, &status) == 0 && S_ISREG(status.st_mode)) {
    identity = build_id(file.fd);
    if (identity.empty())
      identity = fmt::format("{} bytes of {}.{:09}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }
  return identity;
}

}  // namespace frit::code
