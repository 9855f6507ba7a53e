// Other formats for the next operation; nothing happens where they are those of before.
#pragma once

#include "api/compute/pack.h"

namespace ckernel {

ALWI void reconfig_data_format_srca(std::uint32_t cb) {
  UNPACK(lanewise_metal::change_unpacked(0, cb));
  MATH(lanewise_metal::change_multiplied(cb, cb));
}
ALWI void reconfig_data_format_srcb(std::uint32_t cb) {
  UNPACK(lanewise_metal::change_unpacked(1, cb));
}
ALWI void reconfig_data_format(std::uint32_t cb_a, std::uint32_t cb_b) {
  UNPACK(lanewise_metal::change_unpacked(0, cb_a); lanewise_metal::change_unpacked(1, cb_b));
  MATH(lanewise_metal::change_multiplied(cb_a, cb_b));
}
/// With what was there before in front of each.
ALWI void reconfig_data_format_srca(std::uint32_t, std::uint32_t cb) {
  reconfig_data_format_srca(cb);
}
ALWI void reconfig_data_format_srcb(std::uint32_t, std::uint32_t cb) {
  reconfig_data_format_srcb(cb);
}
ALWI void reconfig_data_format(std::uint32_t, std::uint32_t cb_a, std::uint32_t,
                               std::uint32_t cb_b) {
  reconfig_data_format(cb_a, cb_b);
}

} // namespace ckernel
