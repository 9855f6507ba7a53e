// A core of a tile that runs a kernel of a program.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "chip/noc/noc.h"
#include "chip/tile/feeder.h"
#include "run/section/core.h"
#include "source/programs/layout.h"
#include "source/programs/start.h"
#include "source/sfpi/kernel_object.h"

namespace lanewise::launch {

class ProgramCore final : public tile::Feeder {
 public:
  /// Loads the object and sets it up. All but `object` must live as long. Error: BadInput.
  static Expected<std::unique_ptr<ProgramCore>> load(unsigned core, const programs::Program& program,
                                                     const programs::Layout& layout,
                                                     const programs::ProgramObjects& objects,
                                                     noc::Noc& noc);

  /// Errors name the kernel's file.
  Expected<tile::FeederStep> step(tile::Tile& tile) override;
  std::string waits_for() const override;

  bool has_ended() const { return core_->has_ended(); }
  const std::string& source() const { return source_; }

 private:
  ProgramCore(unsigned core, const programs::Program& program, std::string source,
              sfpi::KernelObject object)
      : number_(core), program_(program), source_(std::move(source)), object_(std::move(object)) {}

  std::string polled_text(std::uint32_t address) const;

  unsigned number_;
  const programs::Program& program_;
  std::string source_;
  sfpi::KernelObject object_;
  std::unique_ptr<section::SectionCore> core_;
  tile::Tile* tile_ = nullptr; ///< of the last step
};

} // namespace lanewise::launch
