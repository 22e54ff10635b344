// The linker of compiled code: distances between sections are right at any address, and whatever it cannot link is refused.
#include <elf.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <functional>
#include <string>

#include "code/image.hpp"
#include "code/object.hpp"
#include "frit/error.hpp"

namespace frit::code {
namespace {

using Bytes = std::vector<std::byte>;

#if defined(__x86_64__)

Bytes bytes_of(const std::vector<unsigned>& values) {
  Bytes bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

struct Section {
  std::string name;
  Elf64_Word type = SHT_PROGBITS;
  Elf64_Xword flags = SHF_ALLOC;
  Bytes content = {};
  Elf64_Xword alignment = 1;
  Elf64_Word link = 0, info = 0;
};

template <class T> Bytes raw(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

constexpr unsigned char global_function = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                        local_section = ELF64_ST_INFO(STB_LOCAL, STT_SECTION);

// An object of a function that returns the constant of its .rodata: the parts that tests change.
struct Source {
  std::string function = "answer";
  std::int32_t constant = 42;
  Elf64_Half machine = EM_X86_64;
  Elf64_Word relocation = R_X86_64_PC32;
  Elf64_Addr place = 2;
  Elf64_Sxword addend = -4;
  Elf64_Section target = 2;  // the section of the symbol that is read
  Elf64_Xword data_flags = SHF_ALLOC;
  Elf64_Word data_type = SHT_PROGBITS;
  Elf64_Xword data_alignment = 64;

  Bytes object() const {
    // mov eax, [rip + 0]; ret
    std::vector<Section> sections{
        {""},
        {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, bytes_of({0x8b, 0x05, 0, 0, 0, 0, 0xc3}), 16},
        {".rodata", data_type, data_flags, raw<std::int32_t>({constant}), data_alignment}};
    sections[0].type = SHT_NULL;
    sections[0].flags = 0;
    const std::string names = std::string(1, '\0') + function + '\0';
    sections.push_back({".strtab", SHT_STRTAB, 0, raw(std::vector<char>(names.begin(), names.end()))});
    const Elf64_Sym none{}, data{0, local_section, 0, target, 0, 0}, entry{1, global_function, 0, 1, 0, 7};
    sections.push_back({".symtab", SHT_SYMTAB, 0, raw<Elf64_Sym>({none, data, entry}), 8, 3, 2});
    sections.push_back(
        {".rela.text", SHT_RELA, 0, raw<Elf64_Rela>({{place, ELF64_R_INFO(1, relocation), addend}}), 8, 4, 1});
    return file_of(std::move(sections));
  }

  Bytes file_of(std::vector<Section> sections) const {
    std::string names;
    std::vector<Elf64_Word> name_of;
    sections.push_back({".shstrtab", SHT_STRTAB, 0});
    for (const Section& section : sections) {
      name_of.push_back(static_cast<Elf64_Word>(names.size()));
      names += section.name + '\0';
    }
    sections.back().content = raw(std::vector<char>(names.begin(), names.end()));
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_type = ET_REL;
    header.e_machine = machine;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<Elf64_Half>(sections.size());
    header.e_shstrndx = static_cast<Elf64_Half>(sections.size() - 1);
    Bytes file(sizeof header);
    std::vector<Elf64_Shdr> table;
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const Section& section = sections[i];
      table.push_back({name_of[i], section.type, section.flags, 0, file.size(), section.content.size(), section.link,
                       section.info, section.alignment, 0});
      file.insert(file.end(), section.content.begin(), section.content.end());
    }
    header.e_shoff = file.size();
    const Bytes last = raw(table);
    file.insert(file.end(), last.begin(), last.end());
    std::memcpy(file.data(), &header, sizeof header);
    return file;
  }
};

OwnedImage link(const std::vector<Bytes>& objects, const std::vector<std::string>& functions) {
  const std::vector<std::span<const std::byte>> views(objects.begin(), objects.end());
  return link_objects(views, functions);
}

std::string refusal(const Source& source, const std::string& function = "answer") {
  try {
    (void)link({source.object()}, {function});
    return "linked";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    return error.message();
  }
}

int call(const LoadedCode& code, std::size_t i) {
  int (*function)() = nullptr;
  const void* const entry = code.entry(i);
  std::memcpy(&function, &entry, sizeof function);
  return function();
}

TEST(CodeObject, RunsAtAnyAddressAndAfterACopy) {
  const OwnedImage image =
      link({Source{}.object(), Source{.function = "other", .constant = -7}.object()}, {"other", "answer"});
  EXPECT_EQ(image.code_bytes, page_bytes);
  const LoadedCode first(image.view()), second(image.view());
  const LoadedCode copy(second.image());
  EXPECT_NE(first.entry(0), second.entry(0));
  for (const LoadedCode* const code : {&first, &second, &copy}) {
    EXPECT_EQ(call(*code, 0), -7);
    EXPECT_EQ(call(*code, 1), 42);
  }
  const auto bytes = copy.image().bytes;
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), image.bytes.begin(), image.bytes.end()));
}

TEST(CodeObject, WhatAKernelDoesNotNeedIsRefused) {
  EXPECT_EQ(refusal({}), "linked");
  EXPECT_EQ(refusal({.relocation = R_X86_64_PLT32}), "linked");
  for (const Elf64_Word type : {R_X86_64_64, R_X86_64_32, R_X86_64_32S, R_X86_64_GOTPCREL, R_X86_64_REX_GOTPCRELX,
                                R_X86_64_TPOFF32, R_X86_64_COPY, 200})
    EXPECT_EQ(refusal({.relocation = type}), "linking compiled code: no relocation of type " + std::to_string(type));
  EXPECT_EQ(refusal({.target = SHN_UNDEF}), "linking compiled code: a symbol that is not defined in its object");
  for (const Elf64_Section target : {Elf64_Section{SHN_ABS}, Elf64_Section{SHN_COMMON}, Elf64_Section{3}})
    EXPECT_EQ(refusal({.target = target}), "linking compiled code: a symbol that is not defined in its object");
  for (const Elf64_Xword flags : {SHF_ALLOC | SHF_WRITE, SHF_ALLOC | SHF_TLS})
    EXPECT_EQ(refusal({.data_flags = flags}), "linking compiled code: section .rodata is more than constants");
  EXPECT_EQ(refusal({.data_type = SHT_NOBITS}), "linking compiled code: section .rodata is more than constants");
  EXPECT_EQ(refusal({.place = 7}), "linking compiled code: a relocation beyond its section");
  EXPECT_EQ(refusal({.place = ~Elf64_Addr{0}}), "linking compiled code: a relocation beyond its section");
  EXPECT_EQ(refusal({.addend = std::int64_t{1} << 32}),
            "linking compiled code: a distance is too long for its instruction");
  EXPECT_EQ(refusal({.machine = EM_386}), "linking compiled code: not an object of this machine");
  for (const Elf64_Xword alignment : {Elf64_Xword{3}, Elf64_Xword{2 * page_bytes}, ~Elf64_Xword{0}})
    EXPECT_EQ(refusal({.data_alignment = alignment}), "linking compiled code: an alignment that cannot be had");
  EXPECT_EQ(refusal({}, "question"), "linking compiled code: no function question");
}

// Objects come from the compiler; still, nothing is read or written beyond one.
TEST(CodeObject, DamageIsRefusedOrHarmless) {
  const Bytes object = Source{}.object();
  const auto try_link = [](Bytes bytes) {
    bytes.shrink_to_fit();
    try {
      const OwnedImage image = link({bytes}, {"answer"});
      EXPECT_LT(image.entries[0], image.code_bytes);
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::internal) << error.what();
      return false;
    }
  };
  EXPECT_TRUE(try_link(object));
  for (std::size_t size = 0; size < object.size(); ++size)
    EXPECT_FALSE(try_link({object.begin(), object.begin() + static_cast<std::ptrdiff_t>(size)})) << size;
  int refused = 0;
  for (std::size_t i = 0; i < object.size(); ++i) {
    for (const unsigned flip : {0x01u, 0x80u, 0xffu}) {
      Bytes damaged = object;
      damaged[i] ^= static_cast<std::byte>(flip);
      refused += try_link(damaged) ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 100);
}

#endif

// The maps of this process at an address, "r-xp" or alike.
std::string protection_of(const void* at) {
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  char line[512], protection[8] = "";
  unsigned long begin = 0, end = 0;
  const auto address = reinterpret_cast<unsigned long>(at);
  std::string found = "none";
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    if (std::sscanf(line, "%lx-%lx %7s", &begin, &end, protection) == 3 && begin <= address && address < end)
      found = protection;
  }
  std::fclose(maps);
  return found;
}

TEST(CodeImage, NoPageIsWritable) {
  const Bytes bytes(2 * page_bytes);
  const std::uint64_t entries[] = {0};
  const LoadedCode code({bytes, page_bytes, entries});
  EXPECT_EQ(protection_of(code.entry(0)), "r-xp");
  EXPECT_EQ(protection_of(code.image().bytes.data() + page_bytes), "r--p");
}

}  // namespace
}  // namespace frit::code
