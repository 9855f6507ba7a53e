#include "source/sfpi/recording_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "base/source_line.h"
#include "source/compiler/epoch.h"
#include "source/sfpi/recording_builder.h"

namespace lanewise::sfpi {

namespace {

using compiler::Node;
using compiler::Recording;
using compiler::Site;
using nlohmann::json;

/// The key that tells what the file is; its value is the recorder's version.
constexpr const char* kMark = "lanewise_recording";
/// What a node has before its operands, of which as many follow as there are.
constexpr std::size_t kNodeFields = 8;
constexpr std::size_t kMostOperands = std::size(lanewise_node{}.operand);

/// Why a text is no recording; never leaves parse_recording().
struct Damage {
  std::string message;
};

json node_json(const Node& node) {
  json fields{node.kind, node.relation, node.type, node.opcode,
              node.mod,  node.addr_mod, node.imm,  node.site};
  std::size_t count = kMostOperands;
  while (count != 0 && node.operand[count - 1] == kLanewiseNone) --count;
  for (const std::uint32_t operand : std::span(node.operand).first(count))
    fields.push_back(operand == kLanewiseNone ? std::int64_t{-1} : std::int64_t{operand});
  return fields;
}

json site_json(const Site& site) {
  const SourcePlace place = source_place(site.line);
  json frames = json::array();
  for (const compiler::Frame& frame : site.frames)
    frames.push_back({frame.file, frame.function, frame.line});
  return {place.file, place.line, place.part, std::move(frames)};
}

/// The elements of a list, one in a line.
template <class List, class ToJson>
std::string lines_json(const List& list, const ToJson& to_json) {
  std::string text;
  for (const auto& each : list) {
    text += text.empty() ? "\n" : ",\n";
    text += to_json(each).dump(-1, ' ', false, json::error_handler_t::replace);
  }
  return fmt::format("[{}]", text);
}

std::string chip_text(const Recording& recording) {
  const json texts = recording.texts;
  return fmt::format(
      "{{\"arch\": \"{}\", \"epoch\": {}, \"shipped\": {}, \"texts\": {},\n"
      "\"sites\": {},\n\"nodes\": {}}}",
      arch_params(recording.arch).names.id, recording.epoch, recording.is_shipped,
      texts.dump(-1, ' ', false, json::error_handler_t::replace),
      lines_json(recording.sites, site_json), lines_json(recording.nodes, node_json));
}

// --- Reading. Every number is held against what it may be.

const json& member(const json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) throw Damage{fmt::format("it has no {}", key)};
  return object[key];
}

const json& list(const json& value, std::size_t least, std::size_t most) {
  if (!value.is_array() || value.size() < least || value.size() > most)
    throw Damage{"a list is missing, or has too few or too many elements"};
  return value;
}

std::string text_of(const json& value) {
  if (!value.is_string()) throw Damage{"a text is missing"};
  return value.get<std::string>();
}

std::int64_t number_of(const json& value, std::int64_t least, std::int64_t most) {
  const bool fits = value.is_number_integer() &&
                    (!value.is_number_unsigned() ||
                     value.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max());
  const std::int64_t number = fits ? value.get<std::int64_t>() : 0;
  if (!fits || number < least || number > most) throw Damage{"a number is missing, or too large"};
  return number;
}

template <class T>
T number_as(const json& value, std::int64_t most = std::numeric_limits<T>::max()) {
  return static_cast<T>(number_of(value, std::numeric_limits<T>::min(), most));
}

/// Of an enumeration, whose last enumerator it has to come up to at most.
template <class Enum>
Enum enum_as(const json& value, Enum last) {
  return static_cast<Enum>(number_of(value, 0, static_cast<std::int64_t>(last)));
}

lanewise_node node_of(const json& value) {
  const json& fields = list(value, kNodeFields, kNodeFields + kMostOperands);
  lanewise_node node;
  node.kind = enum_as(fields[0], compiler::Kind::Print);
  node.relation = enum_as(fields[1], compiler::Relation::GT);
  node.type = enum_as(fields[2], compiler::NumberType::UInt);
  node.opcode = number_as<std::uint8_t>(fields[3]);
  node.mod = number_as<std::uint8_t>(fields[4]);
  node.addr_mod = number_as<std::uint8_t>(fields[5]);
  node.imm = number_as<std::int32_t>(fields[6]);
  for (std::size_t i = kNodeFields; i < fields.size(); ++i) {
    const std::int64_t operand = number_of(fields[i], -1, kMostNodes);
    if (operand >= 0) node.operand[i - kNodeFields] = static_cast<std::uint32_t>(operand);
  }
  return node;
}

Site site_of(const json& value) {
  const json& fields = list(value, 4, 4);
  constexpr std::int64_t kMostLines = kFirstPlace - 1;
  Site site;
  site.line = line_number({.file = text_of(fields[0]),
                           .line = number_as<std::uint32_t>(fields[1], kMostLines),
                           .part = enum_as(fields[2], ProgramPart::Around)});
  for (const json& frame : list(fields[3], 0, kMostNodes)) {
    list(frame, 3, 3);
    site.frames.push_back(
        {text_of(frame[0]), text_of(frame[1]), number_as<std::uint32_t>(frame[2], kMostLines)});
  }
  return site;
}

void add_nodes(const json& nodes, std::size_t sites, RecordingBuilder& builder) {
  for (const json& each : list(nodes, 0, kMostNodes)) {
    const lanewise_node node = node_of(each);
    const auto site = number_as<std::uint32_t>(each[kNodeFields - 1]);
    if (site >= sites) throw Damage{"an operation is at a place that is not there"};
    if (const auto added = builder.append(node, site); !added) throw Damage{added.error().message};
  }
  if (const auto closed = builder.finish(); !closed) throw Damage{closed.error().message};
}

Recording recording_of(const json& chip, const std::string& file) {
  const auto arch = parse_arch(text_of(member(chip, "arch")));
  if (!arch) throw Damage{"it is of a chip that is not known"};
  RecordingBuilder builder(*arch, file);
  for (const json& text : list(member(chip, "texts"), 0, kMostTexts)) {
    if (const auto number = builder.text(text_of(text)); !number)
      throw Damage{number.error().message};
  }
  std::vector<Site> sites;
  for (const json& each : list(member(chip, "sites"), 1, kMostNodes))
    sites.push_back(site_of(each));
  add_nodes(member(chip, "nodes"), sites.size(), builder);
  Recording recording = builder.take();
  recording.sites = std::move(sites);
  const json& shipped = member(chip, "shipped");
  if (!shipped.is_boolean()) throw Damage{"\"shipped\" is neither true nor false"};
  recording.is_shipped = shipped.get<bool>();
  recording.epoch = number_as<int>(member(chip, "epoch"));
  if (!compiler::is_epoch(recording.epoch)) throw Damage{"its release of SFPI is not known"};
  return recording;
}

RecordedKernel kernel_of(const json& object) {
  if (number_of(member(object, kMark), 0, std::numeric_limits<std::int64_t>::max()) !=
      LANEWISE_RECORDER_VERSION)
    throw Damage{fmt::format("another version of Lanewise made it: its recorder is not {}",
                             LANEWISE_RECORDER_VERSION)};
  RecordedKernel kernel{.file = text_of(member(object, "file")),
                        .source = text_of(member(object, "source")),
                        .recordings = {}};
  for (const json& chip : list(member(object, "chips"), 1, kArchs.size())) {
    Recording recording = recording_of(chip, kernel.file);
    const auto same = [&](const Recording& other) { return other.arch == recording.arch; };
    if (std::ranges::any_of(kernel.recordings, same)) throw Damage{"it has a chip twice"};
    kernel.recordings.push_back(std::move(recording));
  }
  return kernel;
}

Unexpected unusable_recording(const std::string& name, const std::string& reason) {
  Unexpected fault = bad_input("the recording cannot be used: " + reason,
                               "record the kernel anew: lanewise run KERNEL --emit recording");
  fault.value().file = name;
  return fault;
}

} // namespace

std::string recording_text(const RecordedKernel& kernel) {
  const auto quoted = [](const std::string& text) {
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  };
  std::string chips;
  for (const Recording& each : kernel.recordings)
    chips += (chips.empty() ? "" : ",\n") + chip_text(each);
  return fmt::format("{{\"{}\": {},\n\"file\": {},\n\"source\": {},\n\"chips\": [{}]}}\n", kMark,
                     LANEWISE_RECORDER_VERSION, quoted(kernel.file), quoted(kernel.source), chips);
}

Expected<RecordedKernel> parse_recording(std::string_view text, const std::string& name) {
  try {
    return kernel_of(json::parse(text));
  } catch (const json::parse_error&) {
    return unusable_recording(name, "it is no JSON");
  } catch (const Damage& damage) {
    return unusable_recording(name, damage.message);
  }
}

} // namespace lanewise::sfpi
