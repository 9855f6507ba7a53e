// SFPI in a section: what sfpi.h records becomes words that are pushed in their place.
//
// From the first operation of sfpi.h on, everything that the section pushes is recorded with it, up
// to what others could see: a wait, a semaphore, an access to a register, the section's end. Then
// the recording is compiled and pushed, and a new one may begin.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "chip/isa/arch.h"
#include "run/section/places.h"
#include "run/section/section.h"
#include "run/section/vector_marks.h"
#include "source/sfpi/include/lanewise_recorder.h"
#include "source/sfpi/recording_builder.h"

namespace lanewise::section {

/// All of it runs on the section's side.
class VectorCode {
 public:
  /// `epoch`: the release of SFPI whose compiler it is for. The others must live as long.
  VectorCode(Arch arch, int epoch, SectionPlaces& places, const sfpi::KernelObject& object);
  VectorCode(const VectorCode&) = delete;
  VectorCode& operator=(const VectorCode&) = delete;

  /// What the section's sfpi.h and lltt.h must find.
  lanewise_recorder* recorder() { return &abi_; }

  /// Writes down what is pushed for each recording, which must live as long.
  void log_stretches(StretchLog& log) { log_ = &log; }

  /// Before the section is left: takes a word that belongs into the recording. Whatever does not
  /// comes behind it. True: taken.
  bool takes(const SectionEvent& event);

  /// Pushes what is recorded.
  void flush();

 private:
  std::uint32_t node(lanewise_node node, std::uint32_t line);
  std::uint32_t assign(std::uint32_t old_value, std::uint32_t value, std::uint32_t declared,
                       std::uint32_t line);
  bool take_word(std::uint32_t word, bool is_own, std::uint32_t line);
  void push(std::uint32_t word, std::uint32_t line);

  sfpi::RecordingBuilder& open();
  /// The number of a value in the recording that is open.
  std::uint32_t number_here(std::uint32_t value, std::uint32_t line);
  std::uint32_t accept(const tl::expected<compiler::Value, sfpi::Mistake>& result,
                       std::uint32_t line);
  void fail(std::string message, std::string remedy, std::uint32_t line);

  std::uint32_t line_at(const void* frame, const void* called_from) const;
  std::uint32_t site_of(std::uint32_t line);

  Arch arch_;
  int epoch_;
  SectionPlaces& places_;
  StretchLog* log_ = nullptr;
  const sfpi::KernelObject& object_;
  lanewise_recorder abi_;
  std::optional<sfpi::RecordingBuilder> builder_; ///< while a recording is open
  /// What a recording calls 0 is this to the section: numbers of earlier ones must not be taken for
  /// its own.
  std::uint32_t first_value_ = 0, first_context_ = 0;
  std::vector<std::uint32_t> lines_; ///< of the recording's sites
  std::unordered_map<std::uint32_t, std::uint32_t> sites_;
};

} // namespace lanewise::section
