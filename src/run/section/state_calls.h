// Calls of LLK one after another on a tile, and the state after each: what an init sets, what an
// uninit leaves.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/tile/run.h"
#include "chip/tile/state_fields.h"
#include "run/section/run_sections.h"
#include "run/section/test_source.h"

namespace lanewise::section {

struct StateCall {
  unsigned thread = 1;
  std::string text; ///< an expression of C++ or a statement, without the semicolon behind it

  friend bool operator==(const StateCall&, const StateCall&) = default;
};

/// Calls with semicolons between them. Each may have its thread in front ("pack: ..."); else a name
/// like _llk_pack_... says it, else `thread`. Error: BadInput for a call without a thread, for
/// brackets or quotes that do not close, and for text that would end the function.
Expected<std::vector<StateCall>> parse_state_calls(std::string_view text,
                                                   std::optional<unsigned> thread);

/// The number of a thread by its name. Error: BadInput that lists the names.
Expected<unsigned> parse_thread(std::string_view name);

/// A call that has been executed.
struct StateStep {
  StateCall call;
  std::uint32_t line = 0; ///< of the call in a test's file; 0 of calls that a user gives
  std::vector<tile::StateField> before, after;
  bool alone = true; ///< no other thread has changed, meanwhile, a field that this call has changed
};

struct StateRun {
  std::vector<StateStep> steps;
  SectionsOutcome outcome;
};

/// How calls run.
struct StateSetup {
  TestSource test;                  ///< `file` is not used
  std::vector<std::string> headers; ///< to include besides those in which LLK defines the calls
  std::vector<ConfigSetting> config;
  /// Words that a core has pushed are executed as late as its thread may, and only the state at the
  /// end is looked at; what the core itself stores comes at once.
  bool late = false;
  tile::ScheduleChoice schedule; ///< of `late`
};

/// The state after each of the calls, from that of a tile on that LLK's tests have set up. `all`:
/// calls whose headers are included, those that run among them. Error: BadInput; a call that no
/// header of the checkout defines, what g++ says, and as run_sections() says.
Expected<StateRun> run_state_calls(const StateSetup& setup, std::span<const StateCall> calls,
                                   std::span<const StateCall> all);

/// The calls of a test that set the state up or back (their names have _init_, _uninit_, _reconfig_
/// or _hw_configure_ in them), as its sections come to them; those of one thread in order.
/// `inputs`: what L1 holds. Error: BadInput as above, and for a test without such calls.
Expected<StateRun> run_test_states(const TestSource& test, std::vector<tile::L1Input> inputs,
                                   std::vector<ConfigSetting> config);

/// The text of a test with marks around each such call, and the calls. The lines stay.
struct MarkedTest {
  std::string text;
  std::vector<StateStep> calls; ///< without states and threads
};
MarkedTest mark_state_calls(std::string_view text);

} // namespace lanewise::section
