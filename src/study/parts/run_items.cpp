#include "study/parts/run_items.h"

#include <string>
#include <utility>

#include "base/process_pool.h"

namespace lanewise::parts {

Expected<std::vector<std::optional<Json>>> run_items(SharedWork& work, const ItemRun& how) {
  const ItemRange range = work.range();
  std::vector<std::optional<Json>> values(range.count());
  std::vector<std::uint64_t> open;
  for (std::uint64_t item = range.begin; item < range.end; ++item) {
    if (const Json* there = work.find(item)) {
      values[item - range.begin] = *there;
    } else {
      open.push_back(item);
    }
  }
  const std::size_t before = values.size() - open.size();
  const auto run = [&](std::size_t i) {
    return how.run(open[i]).dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  const auto take = [&](std::size_t i, const std::string& text) {
    Json value = Json::parse(text, nullptr, false);
    if (value.is_discarded()) return;
    work.keep(open[i], value);
    values[open[i] - range.begin] = std::move(value);
  };
  const auto progress = [&](std::size_t done) {
    return how.progress(before + done, values.size());
  };
  if (auto done = run_in_processes(open.size(), how.jobs, run, progress, take); !done)
    return Unexpected(done.error());
  return values;
}

} // namespace lanewise::parts
