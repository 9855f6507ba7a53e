// Meshes of devices, of which there is one here, with one device.
#pragma once

#include "chip.hpp"

namespace tt::tt_metal {

class Shape2D {
 public:
  Shape2D(std::size_t height, std::size_t width) : sides_{height, width} {}
  Shape2D(const std::pair<std::size_t, std::size_t>& sides) : sides_{sides.first, sides.second} {}
  Shape2D(const std::array<std::uint32_t, 2>& sides) : sides_{sides[0], sides[1]} {}
  std::size_t height() const { return sides_[0]; }
  std::size_t width() const { return sides_[1]; }
  friend bool operator==(const Shape2D&, const Shape2D&) = default;

 private:
  std::array<std::size_t, 2> sides_;
};

namespace distributed {

struct MeshShape {
  std::uint32_t rows = 1, columns = 1;
  MeshShape() = default;
  MeshShape(std::uint32_t r, std::uint32_t c) : rows(r), columns(c) {}
  std::size_t mesh_size() const { return std::size_t{rows} * columns; }
  std::size_t dims() const { return 2; }
  std::uint32_t operator[](std::size_t i) const { return i == 0 ? rows : columns; }
  friend bool operator==(const MeshShape&, const MeshShape&) = default;
};
struct MeshCoordinate {
  std::uint32_t row = 0, column = 0;
  MeshCoordinate() = default;
  MeshCoordinate(std::uint32_t r, std::uint32_t c) : row(r), column(c) {}
};
struct MeshCoordinateRange {
  MeshCoordinate first, last;
  MeshCoordinateRange(const MeshShape& shape) : last(shape.rows - 1, shape.columns - 1) {}
  MeshCoordinateRange(const MeshCoordinate& a, const MeshCoordinate& b) : first(a), last(b) {}
};

/// Of all devices that there are, if no shape is given.
class MeshDeviceConfig {
 public:
  MeshDeviceConfig(const std::optional<MeshShape>& shape = std::nullopt,
                   const std::optional<MeshCoordinate>& offset = std::nullopt, const std::vector<ChipId>& ids = {})
      : shape_(shape), offset_(offset), ids_(ids) {}
  const std::optional<MeshShape>& mesh_shape() const { return shape_; }
  const std::optional<MeshCoordinate>& offset() const { return offset_; }
  const std::vector<ChipId>& physical_device_ids() const { return ids_; }

 private:
  std::optional<MeshShape> shape_;
  std::optional<MeshCoordinate> offset_;
  std::vector<ChipId> ids_;
};

class SystemMesh {
 public:
  static SystemMesh& instance() {
    static SystemMesh mesh;
    return mesh;
  }
  MeshShape shape() const { return {1, 1}; }
};

} // namespace distributed
} // namespace tt::tt_metal
