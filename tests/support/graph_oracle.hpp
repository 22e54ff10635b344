// Evaluates a graph node by node, and a plan step by step, over whole arrays: no fusion, no reuse of buffers, no tiles. Only
// the kernels of single ops are shared with the executor; those have tests of their own (modes/ops_modes_test.cpp).
#pragma once

#include <array>

#include "exec/kernel_table.hpp"
#include "graph/graph.hpp"
#include "ops/table.hpp"
#include "support/programs.hpp"

namespace frit::test {

// One part of a value for all events (a multiple of 16); booleans are lane masks.
template <class T> using Lanes = std::vector<T>;

template <class T> struct OracleValue { Lanes<T> re, im; };

template <class T> Lanes<T> splat_lanes(double value, bool boolean, std::size_t n) {
  T x = static_cast<T>(value);
  if (boolean) std::memset(&x, value != 0 ? 0xff : 0, sizeof x);
  return Lanes<T>(n, x);
}

// The free ops by hand: what docs/ops.md says of them, not their templates.
template <class T>
OracleValue<T> evaluate_free_op(std::string_view name, unsigned form, std::span<const OracleValue<T>* const> operands) {
  const OracleValue<T>& a = *operands[0];
  const auto negated = [](Lanes<T> x) {
    for (T& e : x) e = -e;
    return x;
  };
  const Lanes<T> zero(a.re.size(), T(0));
  if (name == "real") return {a.re, {}};
  if (name == "imag") return {form != 0 ? a.im : zero, {}};
  if (name == "conj") return {a.re, form != 0 ? negated(a.im) : Lanes<T>{}};
  if (name == "complex") return {a.re, operands[1]->re};
  if (name == "times_i") return form != 0 ? OracleValue<T>{negated(a.im), a.re} : OracleValue<T>{zero, a.re};
  throw std::runtime_error("add the free op '" + std::string(name) + "' to tests/support/graph_oracle.hpp");
}

template <class T>
OracleValue<T> evaluate_op(const exec::KernelTable& table, OpId op, unsigned form, bool complex_result,
                           std::span<const OracleValue<T>* const> operands, std::size_t n) {
  const OpInfo& info = info_of(op);
  if (info.cost == CostClass::free) return evaluate_free_op(info.name, form, operands);
  OracleValue<T> result;
  result.re.resize(n);
  if (complex_result) result.im.resize(n);
  std::array<void*, plan::max_parts> parts{};
  std::size_t at = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    parts[at++] = const_cast<T*>(operands[i]->re.data());
    if ((form >> i & 1u) != 0) parts[at++] = const_cast<T*>(operands[i]->im.data());
  }
  parts[at++] = result.re.data();
  if (complex_result) parts[at++] = result.im.data();
  table.single[exec::dtype_index(dtype_of<T>)][static_cast<std::size_t>(op)][form][0](parts.data(),
                                                                                      static_cast<std::int64_t>(n));
  return result;
}

// `columns` and `parameters` as run() takes them; n a multiple of 16. Every node's value.
template <class T>
std::vector<OracleValue<T>> evaluate_graph(const Graph& graph, const exec::KernelTable& table,
                                           std::span<const Bytes> columns,
                                           std::span<const std::complex<double>> parameters, std::size_t n) {
  std::vector<OracleValue<T>> values(graph.size());
  std::vector<std::size_t> place;
  std::size_t next_column = 0, next_parameter = 0;
  for (const GraphArgument& argument : graph.arguments())
    place.push_back(argument.role == Role::column ? next_column++ : next_parameter++);
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph.node(id);
    const bool complex = is_complex(node.dtype);
    OracleValue<T>& value = values[id];
    if (node.kind == NodeKind::constant) {
      value.re = splat_lanes<T>(graph.constant(id).re, node.dtype == DType::boolean, n);
      if (complex) value.im = splat_lanes<T>(graph.constant(id).im, false, n);
    } else if (node.kind == NodeKind::argument) {
      const std::size_t at = place[graph.argument_index(id)];
      if (node.role == Role::parameter) {
        value.re = splat_lanes<T>(parameters[at].real(), false, n);
        if (complex) value.im = splat_lanes<T>(parameters[at].imag(), false, n);
      } else {
        const std::size_t step = complex ? 2 : 1;
        for (std::size_t i = 0; i < n; ++i) {
          value.re.push_back(read_as<T>(&columns[at][i * step * sizeof(T)]));
          if (complex) value.im.push_back(read_as<T>(&columns[at][(i * step + 1) * sizeof(T)]));
        }
      }
    } else {
      std::vector<const OracleValue<T>*> operands;
      for (NodeId operand : graph.operands(id)) operands.push_back(&values[operand]);
      value = evaluate_op<T>(table, node.op, node.form, complex, operands, n);
    }
  }
  return values;
}

// As run() returns outputs.
template <class T> Bytes image_of(const OracleValue<T>& value, DType dtype) {
  Bytes image;
  const auto put = [&](auto x) {
    const auto* from = reinterpret_cast<const std::byte*>(&x);
    image.insert(image.end(), from, from + sizeof x);
  };
  const auto canonical = [](T x) { return x == x ? x : std::numeric_limits<T>::quiet_NaN(); };
  for (std::size_t i = 0; i < value.re.size(); ++i) {
    if (dtype == DType::boolean) {
      put(static_cast<std::uint8_t>(std::bit_cast<Unsigned<T>>(value.re[i]) != 0 ? 1 : 0));
    } else {
      put(canonical(value.re[i]));
      if (is_complex(dtype)) put(canonical(value.im[i]));
    }
  }
  return image;
}

template <class T>
std::vector<Bytes> oracle_outputs(const Graph& graph, const exec::KernelTable& table, std::span<const Bytes> columns,
                                  std::span<const std::complex<double>> parameters, std::size_t n) {
  const std::vector<OracleValue<T>> values = evaluate_graph<T>(graph, table, columns, parameters, n);
  std::vector<Bytes> images;
  for (const GraphOutput& output : graph.outputs())
    images.push_back(image_of(values[output.node], graph.node(output.node).dtype));
  return images;
}

// Random images of the column arguments, and values of the parameters exact in T.
template <class T> std::vector<Bytes> random_columns(const Graph& graph, Inputs<T>& inputs, std::size_t n) {
  std::vector<Bytes> columns;
  for (const GraphArgument& argument : graph.arguments()) {
    if (argument.role != Role::column) continue;
    columns.push_back(bytes_of<T>(inputs.take(is_complex(argument.dtype) ? 2 * n : n)));
  }
  return columns;
}
template <class T> std::vector<std::complex<double>> random_parameters(const Graph& graph, Inputs<T>& inputs) {
  std::vector<std::complex<double>> parameters;
  for (const GraphArgument& argument : graph.arguments()) {
    if (argument.role != Role::parameter) continue;
    const T re = inputs.next();
    parameters.emplace_back(re, is_complex(argument.dtype) ? inputs.next() : T(0));
  }
  return parameters;
}

}  // namespace frit::test
