// Other formats for the next operation; nothing happens where they are those of before.
#pragma once

#include "api/compute/pack.h"

namespace lanewise_metal {

constexpr bool have_other_formats([[maybe_unused]] u32 left, [[maybe_unused]] u32 right) {
#if defined(UCK_CHLKC_PACK)
  return false; // of no use to it
#else
  return unpack_src_format[left] != unpack_src_format[right] ||
         unpack_dst_format[left] != unpack_dst_format[right];
#endif
}

} // namespace lanewise_metal

namespace ckernel {

ALWI void reconfig_data_format_srca(std::uint32_t cb) {
  UNPACK(lanewise_metal::change_unpacked(0, cb));
  MATH(lanewise_metal::change_multiplied_a(cb));
}
ALWI void reconfig_data_format_srcb(std::uint32_t cb) {
  UNPACK(lanewise_metal::change_unpacked(1, cb));
  MATH(lanewise_metal::change_multiplied_b(cb));
}
ALWI void reconfig_data_format(std::uint32_t cb_a, std::uint32_t cb_b) {
  reconfig_data_format_srca(cb_a);
  reconfig_data_format_srcb(cb_b);
}
/// With what was there before in front of each.
ALWI void reconfig_data_format_srca(std::uint32_t before, std::uint32_t cb) {
  if (lanewise_metal::have_other_formats(before, cb)) reconfig_data_format_srca(cb);
}
ALWI void reconfig_data_format_srcb(std::uint32_t before, std::uint32_t cb) {
  if (lanewise_metal::have_other_formats(before, cb)) reconfig_data_format_srcb(cb);
}
ALWI void reconfig_data_format(std::uint32_t a_before, std::uint32_t cb_a, std::uint32_t b_before,
                               std::uint32_t cb_b) {
  reconfig_data_format_srca(a_before, cb_a);
  reconfig_data_format_srcb(b_before, cb_b);
}

} // namespace ckernel
