// SFPI in a section: what sfpi.h records becomes words that are pushed in their place.
//
// From the first operation of sfpi.h on, everything that the section pushes is recorded, until it
// does something by which others could see what has been pushed. Then the recording is compiled.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isa/arch.h"
#include "sfpi/include/lanewise_recorder.h"
#include "sfpi/recording_builder.h"

namespace lanewise::tile {

class VectorCode {
 public:
  explicit VectorCode(Arch arch);

  /// What the section's sfpi.h and lltt.h must find.
  lanewise_recorder* recorder() { return &abi_; }

  /// Called on the section's side, before anything that others see: pushes what is recorded.
  void flush();

 private:
  std::uint32_t node(const lanewise_node& node, const void* frame, const void* called_from);

  Arch arch_;
  lanewise_recorder abi_;
};

} // namespace lanewise::tile
