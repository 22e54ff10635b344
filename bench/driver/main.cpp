// compare_driver: times hand-written kernels and frit, taking turns, in one process. It measures one row a call and writes
// the samples as one line of JSON; bench/compare.py chooses the rows, sums them up and prints them.
//
//   compare_driver array PROBLEM DTYPE [key=value...]
//   compare_driver traced|traced-threads FUNCTION DTYPE [key=value...]
//   compare_driver model FOLDER DTYPE [yardstick=LIBRARY arguments=FILE] [key=value...]
//   compare_driver gradient FOLDER yardstick=LIBRARY arguments=FILE [key=value...]
//   compare_driver threads [key=value...]
//
// Keys: modes=graph,compiled; size=N; rounds=N; min_time=SECONDS; effort=N.
#include <cstdio>
#include <cstring>
#include <map>
#include <sstream>
#include <string>

#include "frit/frit.hpp"
#include "rows.hpp"

namespace {

std::map<std::string, std::string> keys_of(int argc, char** argv, int first) {
  std::map<std::string, std::string> keys;
  for (int i = first; i < argc; ++i) {
    const std::string text = argv[i];
    const std::size_t at = text.find('=');
    if (at == std::string::npos) throw std::runtime_error("'" + text + "' is no key=value");
    keys[text.substr(0, at)] = text.substr(at + 1);
  }
  return keys;
}

bench::Request request_of(const std::map<std::string, std::string>& keys) {
  bench::Request request;
  for (const auto& [key, value] : keys) {
    if (key == "modes") {
      std::istringstream stream(value);
      for (std::string name; std::getline(stream, name, ',');) {
        if (!frit::parse_mode(name, request.modes.emplace_back())) throw std::runtime_error("no mode '" + name + "'");
      }
    } else if (key == "size") {
      request.size = std::stoull(value);
    } else if (key == "rounds") {
      request.settings.rounds = std::stoi(value);
    } else if (key == "min_time") {
      request.settings.min_time = std::stod(value);
    } else if (key == "effort") {
      request.effort = std::stoi(value);
    } else if (key == "yardstick") {
      request.yardstick = value;
    } else if (key == "arguments") {
      request.arguments = value;
    } else {
      throw std::runtime_error("unknown key '" + key + "'");
    }
  }
  return request;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string what = argc > 1 ? argv[1] : "";
  nlohmann::json row;
  if (what == "threads") {
    row = bench::threads_row(request_of(keys_of(argc, argv, 2)));
  } else if (what == "gradient" && argc > 2) {
    row = bench::gradient_row(argv[2], request_of(keys_of(argc, argv, 3)));
  } else if ((what == "array" || what == "traced" || what == "traced-threads" || what == "model") && argc > 3) {
    const std::string dtype = argv[3];
    if (dtype != "f64" && dtype != "f32") throw std::runtime_error("dtypes are f64 and f32, not '" + dtype + "'");
    const bench::Request request = request_of(keys_of(argc, argv, 4));
    const bool narrow = dtype == "f32";
    row = what == "array"            ? bench::array_row(argv[2], narrow, request)
          : what == "traced"         ? bench::traced_row(argv[2], narrow, request)
          : what == "traced-threads" ? bench::traced_threads_row(argv[2], narrow, request)
                                     : bench::model_row(argv[2], narrow, request);
  } else if (what == "problems") {
    row = bench::problem_list();
  } else {
    throw std::runtime_error(
        "usage: compare_driver array|traced|traced-threads|model|gradient|threads|problems ...; bench/compare.py calls "
        "it");
  }
  std::printf("%s\n", row.dump().c_str());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "compare_driver: %s\n", error.what());
  return 1;
}
