// Runs the built program as a user does, and reads what it wrote.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <complex>
#include <functional>

#include "../unit/io_images.hpp"
#include "io/byte_source.hpp"
#include "io/zip_directory.hpp"

namespace frit::test {

using io::test::Folder;
using io::test::read_file;
using io::test::write_file;

struct Ended {
  int status = -1;  // exit status, or 1000 + the signal that ended it
  std::string out, err;
};

// A program that was started; wait() is called once.
class Program {
 public:
  // `in_child` runs between fork and exec.
  explicit Program(const std::vector<std::string>& arguments, const std::function<void()>& in_child = {}) {
    std::vector<char*> argv{const_cast<char*>(FRIT_PROGRAM)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    const std::string out = folder_ / "out", err = folder_ / "err";
    pid_ = fork();
    if (pid_ == 0) {
      redirect(out, STDOUT_FILENO);
      redirect(err, STDERR_FILENO);
      if (in_child) in_child();
      execv(FRIT_PROGRAM, argv.data());
      _exit(127);
    }
  }
  pid_t pid() const { return pid_; }
  Ended wait() const {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), read_file(folder_ / "out"),
            read_file(folder_ / "err")};
  }

 private:
  static void redirect(const std::string& path, int to) {
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(fd, to);
    close(fd);
  }
  Folder folder_;
  pid_t pid_ = -1;
};

inline Ended run(const std::vector<std::string>& arguments, const std::function<void()>& in_child = {}) {
  return Program(arguments, in_child).wait();
}

// Any stored numeric array of one or two axes; real values have a zero imaginary part.
struct Table {
  std::size_t rows = 0, columns = 0;  // one axis: a single row
  bool complex = false;
  std::vector<std::complex<double>> values;  // by rows
  std::complex<double> at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

inline std::optional<Table> read_table(const std::filesystem::path& path, const std::string& name) {
  const auto source = io::ByteSource::map_file(path);
  for (const io::ZipEntry& entry : io::read_zip_directory(*source)) {
    if (entry.name != name + ".npy" || entry.deflated) continue;
    const std::string_view text = source->text().substr(entry.data_offset, entry.size);
    const std::size_t header_size =
        10 + static_cast<unsigned char>(text[8]) + 256u * static_cast<unsigned char>(text[9]);
    const std::string header(text.substr(10, header_size - 10));
    const char* data = text.data() + header_size;
    const auto has = [&](const char* part) { return header.find(part) != std::string::npos; };
    Table table;
    std::size_t first = 0, second = 0;
    const char* shape = header.c_str() + header.find("'shape': (") + 10;
    const int axes = std::sscanf(shape, "%zu, %zu", &first, &second);
    table.rows = axes == 2 ? first : 1;
    table.columns = axes == 2 ? second : first;
    const bool fortran = has("'fortran_order': True"), single = has("'<f4'") || has("'<c8'");
    table.complex = has("'<c");
    const auto number = [&](std::size_t i) {
      if (has("'<i8'")) {
        std::int64_t x;
        std::memcpy(&x, data + 8 * i, 8);
        return static_cast<double>(x);
      }
      if (single) {
        float x;
        std::memcpy(&x, data + 4 * i, 4);
        return static_cast<double>(x);
      }
      double x;
      std::memcpy(&x, data + 8 * i, 8);
      return x;
    };
    for (std::size_t row = 0; row < table.rows; ++row) {
      for (std::size_t column = 0; column < table.columns; ++column) {
        const std::size_t i = fortran ? column * table.rows + row : row * table.columns + column;
        table.values.push_back(table.complex ? std::complex<double>(number(2 * i), number(2 * i + 1)) : number(i));
      }
    }
    return table;
  }
  return std::nullopt;
}

// The outputs of a run, one row each.
inline Table read_outputs(const std::filesystem::path& path) {
  if (auto single = read_table(path, "output")) return *single;
  Table all;
  while (auto next = read_table(path, "output_" + std::to_string(all.rows))) {
    ++all.rows;
    all.columns = next->columns;
    all.complex = all.complex || next->complex;
    all.values.insert(all.values.end(), next->values.begin(), next->values.end());
  }
  return all;
}

struct ModelFolder {
  std::string name;
  std::filesystem::path path;
};

// Those of the repository, and all that the folder FRIT_MODELS has.
inline std::vector<ModelFolder> model_folders() {
  std::vector<ModelFolder> models;
  const auto add = [&](const std::filesystem::path& folder, const std::string& prefix) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
      if (std::filesystem::exists(entry.path() / "model.srepr"))
        models.push_back({prefix + entry.path().filename().string(), entry.path()});
  };
  add(std::filesystem::path(FRIT_SOURCE_DIR) / "examples" / "models", "");
  if (const char* more = std::getenv("FRIT_MODELS")) add(more, "more_");
  for (ModelFolder& model : models) std::replace(model.name.begin(), model.name.end(), '-', '_');
  std::sort(models.begin(), models.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return models;
}

inline std::vector<std::string> eval_arguments(const ModelFolder& model, const std::filesystem::path& output,
                                               const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{
      "eval",         model.path / "model.srepr",     "--data",   model.path / "data.npz",
      "--parameters", model.path / "parameters.json", "--output", output};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace frit::test
