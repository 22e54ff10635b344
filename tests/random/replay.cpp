#include "random/replay.hpp"

#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>

namespace frit::test {
namespace {

std::string number_text(double x) {
  if (std::isnan(x)) return "nan";
  char text[48];
  std::snprintf(text, sizeof text, "%a", x);
  return text;
}

std::vector<double> numbers_of(const Bytes& image, DType dtype) {
  std::vector<double> numbers;
  const std::size_t part = size_of(real_of(dtype));
  for (std::size_t at = 0; at < image.size(); at += part)
    numbers.push_back(part == 8 ? read_as<double>(&image[at]) : static_cast<double>(read_as<float>(&image[at])));
  return numbers;
}

Bytes image_of(const std::vector<double>& numbers, DType dtype) {
  if (real_of(dtype) == DType::f64) return bytes_of<double>(numbers);
  const std::vector<float> narrow(numbers.begin(), numbers.end());
  return bytes_of<float>(narrow);
}

std::string list_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : ",") + number_text(x);
  return text;
}

std::vector<double> parse_list(const std::string& text) {
  std::vector<double> numbers;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, ',');) numbers.push_back(std::strtod(one.c_str(), nullptr));
  return numbers;
}

constexpr std::string_view graph_key = " graph=";

}  // namespace

std::string replay_line(const RandomProgram& program, std::string_view stage) {
  const Settings& s = program.settings;
  std::ostringstream out;
  std::string stage_word(stage);
  for (char& c : stage_word) c = c == ' ' ? '+' : c;
  out << "stage=" << stage_word << " isa=" << s.isa << " tile=" << s.tile << " misalign=" << s.misalign
      << " threads=" << s.threads << " cuts=";
  for (std::size_t i = 0; i < s.cuts.size(); ++i) out << (i == 0 ? "" : ",") << s.cuts[i];
  out << " effort=" << s.how.effort << " width=" << s.how.width << " target=" << s.how.target
      << " full_form=" << s.how.full_form << " largest_function=" << s.how.largest_function
      << " compile_threads=" << s.how.threads << " vectors=" << s.how.vectors
      << " roots=" << static_cast<int>(s.how.roots) << " functions=" << static_cast<int>(s.how.functions)
      << " events=" << program.events;
  std::size_t column = 0, parameter = 0, k = 0;
  for (const GraphArgument& argument : program.graph.arguments()) {
    std::vector<double> numbers;
    if (argument.role == Role::column) {
      numbers = numbers_of(program.columns[column++], argument.dtype);
    } else {
      const std::complex<double> p = program.parameters[parameter++];
      numbers.push_back(p.real());
      if (is_complex(argument.dtype)) numbers.push_back(p.imag());
    }
    out << " a" << k++ << "=" << list_text(numbers);
  }
  std::string text = print_graph(program.graph);
  text.pop_back();
  out << graph_key;
  for (const char c : text) {
    if (c == '\n') {
      out << " | ";
    } else {
      out << c;
    }
  }
  return out.str();
}

Replay parse_replay(std::string_view line) {
  const std::size_t at = line.find(graph_key);
  if (at == std::string_view::npos) throw std::runtime_error("a replay line ends with graph=...");
  std::map<std::string, std::string> values;
  std::istringstream in{std::string(line.substr(0, at))};
  for (std::string word; in >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) throw std::runtime_error("not a setting: " + word);
    values[word.substr(0, equals)] = word.substr(equals + 1);
  }
  const auto integer = [&](const char* key) { return std::strtoll(values[key].c_str(), nullptr, 10); };
  std::string text(line.substr(at + graph_key.size()));
  for (std::size_t bar = 0; (bar = text.find(" | ", bar)) != std::string::npos;) text.replace(bar, 3, "\n");
  Replay replay;
  replay.stage = values["stage"];
  for (char& c : replay.stage) c = c == '+' ? ' ' : c;
  RandomProgram& program = replay.program;
  program.graph = parse_graph(text + "\n");
  program.events = integer("events");
  Settings& s = program.settings;
  s.isa = values["isa"];
  s.tile = integer("tile");
  s.misalign = static_cast<std::size_t>(integer("misalign"));
  s.threads = integer("threads") != 0;
  for (const double cut : parse_list(values["cuts"])) s.cuts.push_back(static_cast<std::int64_t>(cut));
  s.how = {.effort = static_cast<int>(integer("effort")),
           .width = static_cast<int>(integer("width")),
           .target = values["target"],
           .full_form = integer("full_form") != 0,
           .largest_function = static_cast<int>(integer("largest_function")),
           .threads = static_cast<int>(integer("compile_threads")),
           .vectors = static_cast<int>(integer("vectors")),
           .roots = static_cast<CompileOptions::Roots>(integer("roots")),
           .functions = static_cast<CompileOptions::Functions>(integer("functions"))};
  std::size_t k = 0;
  for (const GraphArgument& argument : program.graph.arguments()) {
    const std::vector<double> numbers = parse_list(values["a" + std::to_string(k)]);
    const std::size_t parts = is_complex(argument.dtype) ? 2 : 1;
    const std::size_t count = argument.role == Role::column ? static_cast<std::size_t>(program.events) : 1;
    if (numbers.size() != parts * count)
      throw std::runtime_error("argument " + std::to_string(k) + " has " + std::to_string(numbers.size()) + " numbers");
    if (argument.role == Role::column) {
      program.columns.push_back(image_of(numbers, argument.dtype));
    } else {
      program.parameters.emplace_back(numbers[0], parts == 2 ? numbers[1] : 0);
    }
    ++k;
  }
  return replay;
}

}  // namespace frit::test
