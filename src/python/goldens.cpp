// lanewise.golden: whole arrays through the conversions and the Matrix Unit. Arrays come as buffers
// and go as bytes, little-endian; what they mean is said in python/lanewise/golden.py.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "chip/semantics/unpack_values.h"
#include "number/tensors/l1_format.h"
#include "number/tensors/source_tile.h"
#include "python/errors.h"
#include "python/program.h"
#include "run/goldens/conversions.h"
#include "run/goldens/matrix_unit.h"

namespace py = pybind11;

namespace lanewise::python {

namespace {

using goldens::GoldenFormat;

/// The bytes of a contiguous buffer, while it lives.
template <class T>
std::span<const T> items_of(const py::buffer_info& info) {
  return {static_cast<const T*>(info.ptr), static_cast<std::size_t>(info.size) *
                                               static_cast<std::size_t>(info.itemsize) / sizeof(T)};
}

template <class T>
py::bytes bytes_of(const std::vector<T>& items) {
  return {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T)};
}

Arch chip_of(const std::string& name) {
  if (const auto arch = parse_arch(name)) return *arch;
  raise({.message = fmt::format("there is no chip {}", name), .remedy = "use bh or wh"});
}

GoldenFormat format_of(const std::string& name) {
  return value_of(goldens::parse_golden_format(name));
}

formats::Format dst_format_of(const std::string& name, bool is_wide) {
  return value_of(goldens::dst_format(format_of(name), is_wide));
}

const char* basis_name(semantics::Basis basis) {
  switch (basis) {
    case semantics::Basis::Compared: return "compared";
    case semantics::Basis::Documented: return "documented";
    case semantics::Basis::Assumed: return "assumed";
    case semantics::Basis::Unknown: break;
  }
  return "unknown";
}

// ---------------------------------------------------------------- Formats

py::dict describe(const std::string& name) {
  const GoldenFormat format = format_of(name);
  py::dict row;
  row["name"] = std::string(format.name);
  row["own_name"] = std::string(format.own_name);
  row["bits"] = format.bits();
  row["block"] = format.is_block();
  row["integer"] = format.is_integer();
  row["unsigned"] = format.is_unsigned;
  row["exponent5"] = format.has_5bit_exponent();
  return row;
}

std::size_t bytes_of_tile(const std::string& name, std::size_t data) {
  return goldens::tile_bytes(format_of(name), data);
}

/// Numbers (float64) of whole tiles, row by row, as the host puts them into L1.
py::bytes host_to_l1(const std::string& name, const py::buffer& numbers) {
  const auto format = value_of(tensors::parse_l1_format(format_of(name).own_name));
  const auto info = numbers.request();
  const auto values = items_of<double>(info);
  return bytes_of(value_of(without_gil([&] {
    tensors::Tensor tensor{
        {values.size() / tensors::kTileElements, tensors::kTileEdge, tensors::kTileEdge},
        {},
        format.values()};
    tensor.bits.reserve(values.size());
    for (const double value : values)
      tensor.bits.push_back(formats::round_to_bits(tensor.format, value));
    return tensors::to_l1(format, tensors::L1Order::Tiles, tensor);
  })));
}

/// The inverse.
py::bytes host_from_l1(const std::string& name, const py::buffer& l1) {
  const auto format = value_of(tensors::parse_l1_format(format_of(name).own_name));
  const auto info = l1.request();
  const auto bytes = items_of<std::uint8_t>(info);
  return bytes_of(without_gil([&] {
    const std::size_t tiles =
        bytes.size() / tensors::l1_bytes(format, tensors::L1Order::Tiles, tensors::kTileElements);
    const auto tensor = tensors::from_l1(format, tensors::L1Order::Tiles, bytes,
                                         {tiles, tensors::kTileEdge, tensors::kTileEdge});
    std::vector<double> values;
    values.reserve(tensor->bits.size());
    for (const std::uint32_t bits : tensor->bits)
      values.push_back(formats::value_of_bits(tensor->format, bits));
    return values;
  }));
}

py::bytes dst_values(const std::string& name, bool is_wide, const py::buffer& stored) {
  const formats::Format format = dst_format_of(name, is_wide);
  const auto info = stored.request();
  const auto data = items_of<std::uint32_t>(info);
  return bytes_of(without_gil([&] {
    std::vector<double> values;
    values.reserve(data.size());
    for (const std::uint32_t each : data) values.push_back(formats::decode(format, each));
    return values;
  }));
}

py::bytes dst_of(const std::string& name, bool is_wide, const py::buffer& numbers) {
  const formats::Format format = dst_format_of(name, is_wide);
  const auto info = numbers.request();
  const auto values = items_of<double>(info);
  return bytes_of(without_gil([&] {
    std::vector<std::uint32_t> stored;
    stored.reserve(values.size());
    for (const double value : values) stored.push_back(formats::encode(format, value));
    return stored;
  }));
}

double cell_value(const GoldenFormat& format, std::uint32_t cell) {
  const bool is_fp32 = !format.has_5bit_exponent() && !format.is_integer();
  return is_fp32 ? static_cast<double>(std::bit_cast<float>(cell))
                 : tensors::source_value(format.code, cell);
}

py::bytes source_values(const std::string& name, const py::buffer& cells) {
  const GoldenFormat format = format_of(name);
  const auto info = cells.request();
  const auto data = items_of<std::uint32_t>(info);
  return bytes_of(without_gil([&] {
    std::vector<double> values;
    values.reserve(data.size());
    for (const std::uint32_t cell : data) values.push_back(cell_value(format, cell));
    return values;
  }));
}

// ---------------------------------------------------------------- Unpackers and packers

py::tuple unpack(const std::string& chip, const std::string& in, const std::string& out,
                 bool to_dst, std::size_t tile_data, const py::buffer& l1) {
  const goldens::UnpackRequest request{
      .arch = chip_of(chip),
      .in = format_of(in),
      .out = format_of(out),
      .target = to_dst ? semantics::UnpackTarget::Dst : semantics::UnpackTarget::SourceRegister,
      .tile_data = tile_data};
  const auto info = l1.request();
  const auto unpacked = value_of(
      without_gil([&] { return goldens::unpack_tiles(request, items_of<std::uint8_t>(info)); }));
  return py::make_tuple(bytes_of(unpacked.data), basis_name(unpacked.basis),
                        unpacked.loses_exponents);
}

std::string packer_source(const std::string& chip, const std::string& arrived,
                          const std::string& out, bool is_wide) {
  return std::string(
      value_of(goldens::packer_source(chip_of(chip), format_of(arrived), format_of(out), is_wide))
          .name);
}

py::tuple pack(const std::string& chip, const std::string& src, const std::string& out,
               bool is_wide, unsigned relu, unsigned threshold, std::size_t tile_data,
               const py::buffer& stored, const std::optional<py::buffer>& old) {
  const GoldenFormat format = format_of(out);
  goldens::PackRequest request{
      .how = goldens::llk_packing(chip_of(chip), format_of(src), format, is_wide),
      .out = format,
      .tile_data = tile_data};
  request.how.relu = static_cast<semantics::Relu>(relu);
  request.how.threshold = static_cast<std::uint16_t>(threshold);
  const auto info = stored.request();
  std::optional<py::buffer_info> old_info;
  if (old) old_info = old->request();
  const auto packed = value_of(without_gil([&] {
    return goldens::pack_tiles(
        request, items_of<std::uint32_t>(info),
        old_info ? items_of<std::uint8_t>(*old_info) : std::span<const std::uint8_t>());
  }));
  return py::make_tuple(bytes_of(packed.l1), basis_name(packed.basis));
}

// ---------------------------------------------------------------- Matrix Unit

struct MatrixOptions {
  std::string chip, srca, srcb;
  bool is_wide = false;
  unsigned phases = 1;
  bool keeps_denormals = false;
};

/// What `compute` makes of a Matrix Unit of these options, and the faults, as JSON.
template <class Compute>
py::tuple compute_with(const MatrixOptions& options, Compute&& compute) {
  auto unit = value_of(goldens::MatrixUnit::make({.arch = chip_of(options.chip),
                                                  .srca = format_of(options.srca),
                                                  .srcb = format_of(options.srcb),
                                                  .is_wide = options.is_wide,
                                                  .phases = options.phases,
                                                  .keeps_denormals = options.keeps_denormals}));
  const auto data = value_of(without_gil([&] { return compute(unit); }));
  return py::make_tuple(bytes_of(data), faults_text(unit.faults()));
}

/// Cells of an optional array.
class OptionalCells {
 public:
  explicit OptionalCells(const std::optional<py::buffer>& buffer) {
    if (buffer) info_ = buffer->request();
  }
  goldens::Cells cells() const {
    return info_ ? items_of<std::uint32_t>(*info_) : goldens::Cells();
  }

 private:
  std::optional<py::buffer_info> info_;
};

py::tuple elementwise(const MatrixOptions& options, unsigned op, const py::buffer& a,
                      const py::buffer& b, const std::optional<py::buffer>& dst) {
  const auto a_info = a.request(), b_info = b.request();
  const OptionalCells before(dst);
  return compute_with(options, [&](goldens::MatrixUnit& unit) {
    return unit.elementwise(static_cast<goldens::Elementwise>(op), items_of<std::uint32_t>(a_info),
                            items_of<std::uint32_t>(b_info), before.cells());
  });
}

py::tuple copy(const MatrixOptions& options, const py::buffer& a) {
  const auto info = a.request();
  return compute_with(
      options, [&](goldens::MatrixUnit& unit) { return unit.copy(items_of<std::uint32_t>(info)); });
}

py::tuple matmul(const MatrixOptions& options, const py::buffer& left, std::size_t left_rows,
                 std::size_t left_columns, const py::buffer& right, std::size_t right_rows,
                 std::size_t right_columns, const std::optional<py::buffer>& dst) {
  const auto left_info = left.request(), right_info = right.request();
  const OptionalCells before(dst);
  return compute_with(options, [&](goldens::MatrixUnit& unit) {
    return unit.matmul(items_of<std::uint32_t>(left_info), {left_rows, left_columns},
                       items_of<std::uint32_t>(right_info), {right_rows, right_columns},
                       before.cells());
  });
}

py::tuple reduce(const MatrixOptions& options, bool maximum, unsigned axis, const py::buffer& a,
                 std::uint32_t scaler, bool accumulates, bool keeps_fp32) {
  const auto info = a.request();
  return compute_with(options, [&](goldens::MatrixUnit& unit) {
    return unit.reduce(maximum ? goldens::Pool::Max : goldens::Pool::Sum,
                       static_cast<goldens::ReducedAxis>(axis), items_of<std::uint32_t>(info),
                       scaler, accumulates, keeps_fp32);
  });
}

} // namespace

void add_goldens(py::module_& module) {
  py::module_ golden = module.def_submodule("golden");
  golden.def("describe", &describe);
  golden.def("tile_bytes", &bytes_of_tile);
  golden.def("host_to_l1", &host_to_l1);
  golden.def("host_from_l1", &host_from_l1);
  golden.def("dst_values", &dst_values);
  golden.def("dst_of", &dst_of);
  golden.def("source_values", &source_values);
  golden.def("unpack", &unpack);
  golden.def("packer_source", &packer_source);
  golden.def("pack", &pack);
  py::class_<MatrixOptions>(golden, "MatrixOptions")
      .def(py::init([](std::string chip, std::string srca, std::string srcb, bool is_wide,
                       unsigned phases, bool keeps_denormals) {
        return MatrixOptions{std::move(chip), std::move(srca), std::move(srcb),
                             is_wide,         phases,          keeps_denormals};
      }));
  golden.def("elementwise", &elementwise);
  golden.def("copy", &copy);
  golden.def("matmul", &matmul);
  golden.def("reduce", &reduce);
}

} // namespace lanewise::python
