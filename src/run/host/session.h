// The device of a host program: its memories, and what the program asks of it (wire.h in
// source/programs/include/lanewise/).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "run/grid/grid.h"
#include "run/grid/timed_grid.h"
#include "run/launch/launch.h"
#include "run/launch/orders.h"
#include "source/programs/description.h"
#include "source/programs/include/lanewise/wire.h"
#include "source/programs/layout.h"

namespace lanewise::host {

using lanewise_host::Answer;
using lanewise_host::Ask;

struct SessionSettings {
  std::string metal = {}; ///< a checkout of tt-metal
  std::string grid = {};  ///< DeviceChoice::grid, of a host program that was started by itself
  /// `limits`: of the kernels of each program, of g++ for each core; the memory is DRAM's, too.
  launch::LaunchSettings how = {};
  /// Orders that are compared, as launch::orders_to_compare() has them; none: each program runs
  /// once, as `how` says.
  std::vector<tile::ScheduleChoice> orders = {};
  /// Called for each program that has come to its end, with the number of its cores; then it runs
  /// in time, too.
  std::function<grid::TimedSettings(std::size_t)> time = {};
  /// Called with each program before it runs, whose circular buffers and buffers in L1 may clash.
  std::function<void(const programs::Program&, const programs::Layout&)> on_program = {};
  /// What takes time begins, "compiling kernels"; "": it has ended, and others may print.
  std::function<void(std::string_view what)> on_step = {};
  /// Called with what becomes of each program.
  std::function<void(const launch::LaunchOutcome&)> on_outcome = {};
  /// Called with what comes of all orders, where they are compared.
  std::function<void(const launch::ComparedOrders&)> on_orders = {};
  /// Called with a program in time and what became of it on the host.
  std::function<Expected<void>(const programs::Program&, const launch::LaunchOutcome&,
                               grid::TimedLaunch)>
      on_time = {};
};

/// An answer, and what goes with it: contents of a buffer, or a message.
struct Reply {
  Answer answer = Answer::Refused;
  std::vector<std::uint8_t> bytes = {};
};

class Session {
 public:
  explicit Session(SessionSettings settings) : settings_(std::move(settings)) {}

  /// Does what is asked. `payload` may be anything: it is a host program's.
  Reply answer(Ask ask, std::string_view payload);

  /// Something of which the device was asked and that it has not done, or could not be asked for;
  /// the first.
  const std::optional<Fault>& refusal() const { return refusal_; }
  /// Whether kernels of a program did what they must not, or did not come to their end.
  bool has_findings() const { return has_findings_; }

 private:
  Expected<Reply> carry_out(Ask ask, std::string_view payload);
  Expected<Reply> run(programs::Description& description);
  Expected<Reply> run_steps(programs::Description& description);
  void step(std::string_view what) const;
  Expected<launch::LaunchOutcome> launch(const programs::Description& description,
                                         const grid::Prepared& prepared,
                                         launch::DeviceMemory& memory);
  Expected<void> show(const programs::Program& program) const;
  Expected<void> time(const grid::Prepared& prepared, const programs::CompileSettings& how,
                      const launch::MemoryImage& before, launch::LaunchOutcome& outcome);
  Expected<launch::DeviceMemory*> memory_of(Arch arch);

  SessionSettings settings_;
  std::optional<Arch> arch_;
  std::optional<launch::DeviceMemory> memory_;
  std::optional<Fault> refusal_;
  bool has_findings_ = false;
};

} // namespace lanewise::host
