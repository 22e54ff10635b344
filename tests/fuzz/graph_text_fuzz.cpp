// Any bytes as the text of a graph: a graph_text error, or a graph whose text is those bytes.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "frit/error.hpp"
#include "graph/graph.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const frit::Graph graph = frit::parse_graph(text);
    if (frit::print_graph(graph) != text) std::abort();
  } catch (const frit::Error& error) {
    if (error.code() != frit::ErrorCode::graph_text) std::abort();
  }
  return 0;
}
