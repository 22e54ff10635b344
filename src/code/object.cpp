#include "code/object.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "frit/error.hpp"

namespace frit::code {
namespace {

#if defined(__aarch64__)
constexpr Elf64_Half this_machine = EM_AARCH64;
constexpr std::byte padding{0};
#else
constexpr Elf64_Half this_machine = EM_X86_64;
constexpr std::byte padding{0xcc};  // int3
#endif

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::internal, "linking compiled code: " + why); }

// `count` elements of an object, wherever they lie in it.
template <class T> std::vector<T> read(std::span<const std::byte> bytes, std::uint64_t offset, std::uint64_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (offset > bytes.size() || count > (bytes.size() - offset) / sizeof(T)) refuse("an object is cut");
  std::vector<T> values(count);
  if (count > 0) std::memcpy(values.data(), bytes.data() + offset, count * sizeof(T));
  return values;
}

// `value` in place of what is there, at any alignment.
template <class T> void write(std::byte* place, T value) { std::memcpy(place, &value, sizeof value); }

// Modulo 2^64: what a damaged object says is refused by its range.
std::int64_t difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

void check_range(std::int64_t value, int bits) {
  const std::int64_t limit = std::int64_t{1} << (bits - 1);
  if (value < -limit || value >= limit) refuse("a distance is too long for its instruction");
}

#if defined(__aarch64__)

// `value` as the bits [low, low + width) of the instruction.
void write_field(std::byte* place, std::int64_t value, int low, int width) {
  std::uint32_t instruction;
  std::memcpy(&instruction, place, sizeof instruction);
  const std::uint32_t mask = ((1u << width) - 1) << low;
  write(place, (instruction & ~mask) | ((static_cast<std::uint32_t>(value) << low) & mask));
}

// `target` and `at` are offsets in the image: pages of the machine begin where those of the image do.
void relocate(std::byte* place, std::uint32_t type, std::int64_t target, std::int64_t at) {
  const std::int64_t distance = difference(target, at);
  const auto write_low = [&](int shift) {
    if ((target & ((1 << shift) - 1)) != 0) refuse("a constant is not aligned");
    write_field(place, (target & 0xfff) >> shift, 10, 12);
  };
  switch (type) {
    case R_AARCH64_PREL32: check_range(distance, 32); return write(place, static_cast<std::int32_t>(distance));
    case R_AARCH64_PREL64: return write(place, distance);
    case R_AARCH64_CALL26:
    case R_AARCH64_JUMP26: check_range(distance, 28); return write_field(place, distance >> 2, 0, 26);
    case R_AARCH64_ADR_PREL_PG_HI21: {
      const std::int64_t pages = (target >> 12) - (at >> 12);
      check_range(pages, 21);
      write_field(place, pages & 3, 29, 2);
      return write_field(place, pages >> 2, 5, 19);
    }
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC: return write_low(0);
    case R_AARCH64_LDST16_ABS_LO12_NC: return write_low(1);
    case R_AARCH64_LDST32_ABS_LO12_NC: return write_low(2);
    case R_AARCH64_LDST64_ABS_LO12_NC: return write_low(3);
    case R_AARCH64_LDST128_ABS_LO12_NC: return write_low(4);
    default: refuse(fmt::format("no relocation of type {}", type));
  }
}

#else

void relocate(std::byte* place, std::uint32_t type, std::int64_t target, std::int64_t at) {
  const std::int64_t distance = difference(target, at);
  switch (type) {
    case R_X86_64_PC32:
    case R_X86_64_PLT32: check_range(distance, 32); return write(place, static_cast<std::int32_t>(distance));
    case R_X86_64_PC64: return write(place, distance);
    default: refuse(fmt::format("no relocation of type {}", type));
  }
}

#endif

constexpr std::uint64_t not_loaded = ~std::uint64_t{0};

struct Object {
  std::span<const std::byte> bytes;
  std::vector<Elf64_Shdr> sections;
  std::vector<std::uint64_t> place;  // of each section in the image, or not_loaded
  std::string_view names;            // of the sections

  explicit Object(std::span<const std::byte> object) : bytes(object) {
    const Elf64_Ehdr header = read<Elf64_Ehdr>(bytes, 0, 1)[0];
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_REL || header.e_machine != this_machine ||
        header.e_shentsize != sizeof(Elf64_Shdr))
      refuse("not an object of this machine");
    // Objects of more sections keep their number elsewhere; kernels have tens.
    if (header.e_shnum == 0 || header.e_shstrndx >= header.e_shnum) refuse("an object without sections");
    sections = read<Elf64_Shdr>(bytes, header.e_shoff, header.e_shnum);
    place.assign(sections.size(), not_loaded);
    names = text_of(sections[header.e_shstrndx]);
  }

  std::string_view text_of(const Elf64_Shdr& section) const {
    if (section.sh_offset > bytes.size() || section.sh_size > bytes.size() - section.sh_offset)
      refuse("an object is cut");
    return {reinterpret_cast<const char*>(bytes.data()) + section.sh_offset, section.sh_size};
  }
  static std::string_view name_at(std::string_view table, std::uint64_t offset) {
    if (offset >= table.size()) refuse("a name is not in its table");
    return table.substr(offset, table.find('\0', offset) - offset);
  }

  // Whether the section goes into the image as code, or as data. Unwind tables do not: nothing is thrown through kernels.
  bool is_loaded(const Elf64_Shdr& section, bool as_code) const {
    if ((section.sh_flags & SHF_ALLOC) == 0 || section.sh_size == 0) return false;
    if (name_at(names, section.sh_name) == ".eh_frame") return false;
    if ((section.sh_flags & (SHF_WRITE | SHF_TLS)) != 0 || section.sh_type != SHT_PROGBITS)
      refuse(fmt::format("section {} is more than constants", name_at(names, section.sh_name)));
    return ((section.sh_flags & SHF_EXECINSTR) != 0) == as_code;
  }

  void lay_out(bool as_code, std::vector<std::byte>& image) {
    for (std::size_t i = 0; i < sections.size(); ++i) {
      if (!is_loaded(sections[i], as_code)) continue;
      const std::uint64_t alignment = std::max<std::uint64_t>(sections[i].sh_addralign, 1);
      if (!std::has_single_bit(alignment) || alignment > page_bytes) refuse("an alignment that cannot be had");
      image.resize((image.size() + alignment - 1) / alignment * alignment, padding);
      place[i] = image.size();
      const auto content = std::as_bytes(std::span(text_of(sections[i])));
      image.insert(image.end(), content.begin(), content.end());
    }
  }

  // Where the symbol stands in the image.
  std::uint64_t address_of(const Elf64_Sym& symbol) const {
    if (symbol.st_shndx >= sections.size() || place[symbol.st_shndx] == not_loaded)
      refuse("a symbol that is not defined in its object");
    return place[symbol.st_shndx] + symbol.st_value;
  }

  std::vector<Elf64_Sym> symbols_of(const Elf64_Shdr& table) const {
    return read<Elf64_Sym>(bytes, table.sh_offset, table.sh_size / sizeof(Elf64_Sym));
  }

  void relocate_all(std::vector<std::byte>& image) const {
    for (const Elf64_Shdr& section : sections) {
      if (section.sh_type == SHT_REL) refuse("relocations without addends");
      if (section.sh_type != SHT_RELA || section.sh_info >= sections.size()) continue;
      const std::uint64_t base = place[section.sh_info];
      if (base == not_loaded) continue;
      if (section.sh_link >= sections.size()) refuse("relocations without symbols");
      const std::vector<Elf64_Sym> symbols = symbols_of(sections[section.sh_link]);
      const std::uint64_t size = sections[section.sh_info].sh_size;
      for (const Elf64_Rela& one : read<Elf64_Rela>(bytes, section.sh_offset, section.sh_size / sizeof(Elf64_Rela))) {
        const std::uint64_t symbol = ELF64_R_SYM(one.r_info);
        // Eight bytes are the longest field.
        if (symbol >= symbols.size() || one.r_offset >= size || image.size() - (base + one.r_offset) < 8)
          refuse("a relocation beyond its section");
        const std::uint64_t at = base + one.r_offset;
        relocate(image.data() + at, static_cast<std::uint32_t>(ELF64_R_TYPE(one.r_info)),
                 static_cast<std::int64_t>(address_of(symbols[symbol]) + static_cast<std::uint64_t>(one.r_addend)),
                 static_cast<std::int64_t>(at));
      }
    }
  }

  void find_functions(std::span<const std::string> functions, std::vector<std::uint64_t>& entries) const {
    for (const Elf64_Shdr& section : sections) {
      if (section.sh_type != SHT_SYMTAB) continue;
      if (section.sh_link >= sections.size()) refuse("symbols without names");
      const std::string_view text = text_of(sections[section.sh_link]);
      for (const Elf64_Sym& symbol : symbols_of(section)) {
        if (ELF64_ST_BIND(symbol.st_info) != STB_GLOBAL) continue;
        const auto found = std::find(functions.begin(), functions.end(), name_at(text, symbol.st_name));
        if (found != functions.end()) entries[static_cast<std::size_t>(found - functions.begin())] = address_of(symbol);
      }
    }
  }
};

void fill_to_page(std::vector<std::byte>& image) {
  image.resize((image.size() + page_bytes - 1) / page_bytes * page_bytes, padding);
}

}  // namespace

OwnedImage link_objects(std::span<const std::span<const std::byte>> objects, std::span<const std::string> functions) {
  std::vector<Object> parts(objects.begin(), objects.end());
  OwnedImage image;
  for (Object& part : parts) part.lay_out(true, image.bytes);
  fill_to_page(image.bytes);
  image.code_bytes = image.bytes.size();
  for (Object& part : parts) part.lay_out(false, image.bytes);
  image.bytes.resize(image.bytes.size() + 8, padding);  // room for any field behind the last
  image.entries.assign(functions.size(), not_loaded);
  for (const Object& part : parts) {
    part.relocate_all(image.bytes);
    part.find_functions(functions, image.entries);
  }
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (image.entries[i] >= image.code_bytes) refuse("no function " + functions[i]);
  }
  return image;
}

}  // namespace frit::code
