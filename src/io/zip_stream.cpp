#include "io/zip_stream.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <utility>

#include "frit/error.hpp"

namespace frit::io {

ZipArchive::ZipArchive(std::shared_ptr<const ByteSource> source) : source_(std::move(source)) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* bytes = zip_source_buffer_create(source_->bytes().data(), source_->bytes().size(), 0, &error);
  if (bytes != nullptr) handle_ = zip_open_from_source(bytes, ZIP_RDONLY, &error);
  if (handle_ == nullptr) {
    const std::string reason = zip_error_strerror(&error);
    const bool memory = zip_error_code_zip(&error) == ZIP_ER_MEMORY;
    if (bytes != nullptr) zip_source_free(bytes);
    zip_error_fini(&error);
    throw Error(memory ? ErrorCode::out_of_memory : ErrorCode::npz_corrupt,
                fmt::format("{}: libzip cannot open the archive: {}", source_->name(), reason));
  }
  zip_error_fini(&error);
}

ZipArchive::~ZipArchive() { zip_discard(handle_); }

ZipStream::ZipStream(std::shared_ptr<ZipArchive> archive, const ZipEntry& entry)
    : archive_(std::move(archive)), entry_name_(entry.name) {
  zip_stat_t stat;
  zip_stat_init(&stat);
  const char* name = zip_get_name(archive_->handle_, entry.index, ZIP_FL_ENC_RAW);
  if (name == nullptr || name != entry.name || zip_stat_index(archive_->handle_, entry.index, 0, &stat) != 0 ||
      stat.size != entry.size || stat.comp_size != entry.stored_size)
    fail("the archive has two directories that differ");
  file_ = zip_fopen_index(archive_->handle_, entry.index, 0);
  if (file_ == nullptr) fail(zip_error_strerror(zip_get_error(archive_->handle_)));
}

ZipStream::~ZipStream() {
  if (file_ != nullptr) zip_fclose(file_);
}

void ZipStream::fail(const std::string& what) const {
  throw Error(ErrorCode::npz_corrupt,
              fmt::format("{}, entry {}: {}", archive_->source_->name(), shown(entry_name_), what));
}

void ZipStream::read(std::span<std::byte> target) {
  // NOTE: libzip 1.7 takes the count as unsigned and gives it back as signed 64 bit; zlib behind it works in 32 bit.
  constexpr std::size_t most = std::size_t{1} << 30;
  while (!target.empty()) {
    const zip_int64_t got = zip_fread(file_, target.data(), std::min(target.size(), most));
    if (got < 0) fail(zip_file_strerror(file_));
    if (got == 0) fail(fmt::format("its compressed data end {} bytes early", target.size()));
    target = target.subspan(static_cast<std::size_t>(got));
  }
}

void ZipStream::skip(std::uint64_t count) {
  std::array<std::byte, 16384> buffer;
  while (count > 0) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(count, buffer.size()));
    read(std::span(buffer).first(part));
    count -= part;
  }
}

void ZipStream::expect_end() {
  std::byte beyond{};
  const zip_int64_t got = zip_fread(file_, &beyond, 1);
  if (got < 0) fail(zip_file_strerror(file_));
  if (got > 0) fail("its compressed data are longer than its size");
}

}  // namespace frit::io
