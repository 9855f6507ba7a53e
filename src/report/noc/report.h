// How near the model of the NoC is to silicon, and traces on it, for people and for programs
// (docs/noc.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "study/traffic/accuracy.h"
#include "study/traffic/bounds.h"
#include "study/traffic/replay.h"

namespace lanewise::report {

struct NocAccuracy {
  std::string file;
  traffic::Accuracy accuracy = {};
  std::vector<traffic::Bound> bounds = {};
};
std::string noc_accuracy_text(const NocAccuracy& report);
nlohmann::ordered_json noc_accuracy_json(const NocAccuracy& report);

struct ReplayedFile {
  std::string file;
  traffic::Replayed replayed = {};
};
std::string noc_replay_text(Arch arch, const std::vector<ReplayedFile>& files);
nlohmann::ordered_json noc_replay_json(Arch arch, const std::vector<ReplayedFile>& files);

} // namespace lanewise::report
