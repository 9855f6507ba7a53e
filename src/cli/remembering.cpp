#include "cli/remembering.h"

#include "base/remembered.h"

namespace lanewise::cli {

void add_no_cache_option(const Command& command) {
  command.flag("--no-cache", stop_remembering,
               "Compute anew what was computed before, and remember nothing (docs/cache.md)");
}

} // namespace lanewise::cli
