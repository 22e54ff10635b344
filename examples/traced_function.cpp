// A function over arrays, traced once and run with several sizes: eagerly, as a graph and, where the compiler is there, as
// machine code, with the same bits.
#include <cstdio>
#include <cstring>
#include <frit/frit.hpp>
#include <vector>

int main() try {
  const frit::Engine engine;
  const auto damped_wave = [](frit::Array t, frit::Array gamma, frit::Array omega) {
    check(gamma >= 0.0, "the wave is damped");
    return exp(-gamma * t) * cos(omega * t) / sqrt(1.0 + pow(t, 2));
  };
  std::vector<double> times;
  for (int i = 0; i < 10000; ++i) times.push_back(0.001 * i);
  const frit::Array t = frit::array(engine, times);

  const std::vector<double> eager =
      damped_wave(t, frit::scalar(engine, 0.25), frit::scalar(engine, 12.0)).values<double>();
  std::printf("eager     wave(%.3f) = %+.17g\n", times[1234], eager[1234]);

  bool same = true;
  for (const frit::Mode mode : {frit::Mode::graph, frit::Mode::compiled}) {
    const auto wave =
        frit::traced(engine, damped_wave, {.mode = mode, .fallback = frit::Fallback::graph, .name = "wave"});
    const std::vector<double> values = wave(t, 0.25, 12.0).values<double>();
    same = same && std::memcmp(values.data(), eager.data(), values.size() * sizeof(double)) == 0;
    // Another size, other numbers and a view: nothing is traced or compiled again.
    (void)wave(t.slice(0, {.start = 10, .step = 3}), 0.5, 11.0);
    std::printf("%-9s wave(%.3f) = %+.17g, traced %d time\n", std::string(frit::name_of(mode)).c_str(), times[1234],
                values[1234], wave.trace_count());
    for (const std::string& note : wave.notes()) std::printf("note: %s\n", note.c_str());
    // An error of values is the same one in every mode.
    try {
      (void)wave(t, -0.25, 12.0);
    } catch (const frit::Error& error) {
      std::printf("%s\n", error.what());
    }
    // Another dtype is another program, and the function says so.
    (void)wave(t.astype(frit::DType::f32), 0.25, 12.0);
    for (const std::string& reason : wave.why_retraced()) std::printf("traced again: %s\n", reason.c_str());
  }
  std::printf("%s\n", same ? "the same bits" : "different bits");
  return same ? 0 : 1;
} catch (const frit::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return frit::exit_status(frit::class_of(error.code()));
}
