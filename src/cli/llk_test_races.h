// Orders of a test's cores that llk-test looks at.
#pragma once

#include <string>

#include "cli/exit_status.h"
#include "cli/l1_files.h"
#include "run/section/run_sections.h"
#include "run/section/test_source.h"

namespace lanewise::cli {

/// A test that has been run, and with what. All of it must live as long.
struct RacedTest {
  const std::string& file;
  Arch arch;
  const L1Options& l1;
  const section::TestSource& source;
  const section::SectionObjects& objects;
  const section::SectionsRun& how;
  const section::SectionsOutcome& outcome;
};

/// Whether the result is the same in some very different orders: a look that costs next to nothing,
/// for tests that are run without --races. What is wrong is told.
bool holds_in_other_orders(const RacedTest& test);

/// --races: prints what is found.
ExitStatus look_for_races(const RacedTest& test);

} // namespace lanewise::cli
