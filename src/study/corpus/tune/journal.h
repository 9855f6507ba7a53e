// What a table of tuned kernels leaves in a file as it goes, so that it can go on: a line of JSON
// that says how kernels are tuned, then one for each program, sealed as the states of sweeps are.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/fault.h"
#include "study/corpus/tune/outcome.h"

namespace lanewise::corpus {

/// What two runs must have in common for one to take the other's results.
nlohmann::ordered_json tuning_key(const tune::TuneOptions& options, bool proves_all);

class TuneJournal {
 public:
  /// Reads what is there and makes the file ready for more. Lines that are damaged or cut off are
  /// left out; settled() does not have their programs. Error: BadInput if it cannot be written, is
  /// no such file, or is one of another version or of other settings, and of which.
  static Expected<TuneJournal> open(const std::filesystem::path& file,
                                    const nlohmann::ordered_json& key);

  /// The results in a file, by the program, of whatever settings; the file stays as it is. Error:
  /// BadInput if it cannot be read, or is no such file or one of another version.
  static Expected<std::map<std::string, TuneOutcome>> read(const std::filesystem::path& file);

  /// By the program.
  const std::map<std::string, TuneOutcome>& settled() const { return settled_; }
  std::size_t damaged() const { return damaged_; }

  /// A line more, in one write: several processes may add at a time. False if it cannot be written.
  bool add(const std::string& program, const TuneOutcome& outcome) const;

 private:
  explicit TuneJournal(std::filesystem::path file) : file_(std::move(file)) {}
  Expected<void> take(const std::string& text, const nlohmann::ordered_json& key);
  Expected<void> load(const nlohmann::ordered_json& key);

  std::filesystem::path file_;
  std::map<std::string, TuneOutcome> settled_;
  std::size_t damaged_ = 0;
};

} // namespace lanewise::corpus
