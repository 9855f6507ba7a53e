// The shape of tiles and faces.
#pragma once

#include <cstdint>

namespace tt::constants {

inline constexpr std::uint32_t TILE_HEIGHT = 32, TILE_WIDTH = 32;
inline constexpr std::uint32_t TILE_HW = TILE_HEIGHT * TILE_WIDTH;
inline constexpr std::uint32_t FACE_HEIGHT = 16, FACE_WIDTH = 16;
inline constexpr std::uint32_t FACE_HW = FACE_HEIGHT * FACE_WIDTH;

} // namespace tt::constants
