#include "study/tune/side_by_side.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"
#include "study/tune/chain_parts.h"
#include "study/tune/follow.h"
#include "study/tune/model.h"
#include "study/tune/words.h"

namespace lanewise::tune {

namespace {

using isa::Op;

constexpr unsigned kTemplateCount = 4, kFirstMacro = 4, kMacroEnd = 8;

/// What an init part sets: first what SFPCONFIG takes from LReg[0], LRegs last.
enum class SettingKind : std::uint8_t { Config, Thread, Register };

struct SettingKey {
  SettingKind kind = SettingKind::Config;
  unsigned index = 0;

  friend auto operator<=>(const SettingKey&, const SettingKey&) = default;
};

struct Setting {
  std::uint32_t bits = 0;
  bool is_immediate = false; ///< of an SFPCONFIG
  std::string comment = {};

  friend bool operator==(const Setting& a, const Setting& b) {
    return a.bits == b.bits && a.is_immediate == b.is_immediate;
  }
};

using Settings = std::map<SettingKey, Setting>;

/// A tuned program, taken apart.
struct Side {
  std::string name;
  Settings settings;
  std::vector<TunedWord> body; ///< what is recorded
  std::vector<TunedWord> tile;
  unsigned first_slot = 0;
  bool is_again = false; ///< the body is recorded for each tile
};

class SideReader {
 public:
  SideReader(Arch arch, std::uint32_t moved) : arch_(arch), moved_(moved) {}

  Side read(const SidePart& part) {
    side_.name = part.name;
    for (const TunedWord& each : part.tuned.words) take(each);
    for (auto& [lreg, setting] : loaded_) side_.settings[{SettingKind::Register, lreg}] = setting;
    return std::move(side_);
  }

 private:
  void take(TunedWord each) {
    each.word = moved_back(arch_, each.word, moved_);
    if (each.part == WordPart::Body) side_.body.push_back(each);
    if (each.part == WordPart::Tile) side_.tile.push_back(each);
    if (each.part != WordPart::Init) return;
    const isa::Decoded word = isa::decode(arch_, each.word);
    if (word.row->op == Op::SFPLOADI) load(word, each.comment);
    if (word.row->op == Op::SFPCONFIG) configure(word, each.comment);
    if (word.row->op == Op::SETC16)
      side_.settings[{SettingKind::Thread, word["CfgIndex"]}] = {word["NewValue"], false,
                                                                 each.comment};
  }

  /// Words as load_immediate_words() makes them.
  void load(const isa::Decoded& word, const std::string& comment) {
    Setting& setting = loaded_[word["VD"]];
    const bool is_upper = word["Mod0"] == isa::kMode<Op::SFPLOADI, "UPPER">;
    const bool is_float = word["Mod0"] == isa::kMode<Op::SFPLOADI, "FLOATB">;
    if (is_upper)
      setting.bits |= word["Imm16"] << 16;
    else
      setting.bits = is_float ? word["Imm16"] << 16 : word["Imm16"];
    setting.comment = comment;
  }

  void configure(const isa::Decoded& word, const std::string& comment) {
    const SettingKey key{SettingKind::Config, word["ConfigDest"]};
    if (isa::has_mode<Op::SFPCONFIG, "IMM16_IS_VALUE">(word["Mod1"])) {
      side_.settings[key] = {word["Imm16"], true, comment};
      return;
    }
    side_.settings[key] = loaded_[0];
    loaded_.erase(0);
  }

  Arch arch_;
  std::uint32_t moved_;
  Side side_;
  std::map<unsigned, Setting> loaded_; ///< LRegs
};

/// Numbers for things of which equal ones are one; none where there are too many.
class Numbers {
 public:
  explicit Numbers(std::size_t most) : most_(most) {}
  unsigned number(std::uint32_t thing) {
    const auto found = std::ranges::find(things_, thing);
    const auto place = static_cast<unsigned>(found - things_.begin());
    if (found == things_.end()) things_.push_back(thing);
    return place;
  }
  bool fit() const { return things_.size() <= most_; }

 private:
  std::size_t most_;
  std::vector<std::uint32_t> things_;
};

class SideBySide {
 public:
  SideBySide(std::span<const SidePart> parts, unsigned pads)
      : arch_(parts.front().tuned.arch), pads_(pads) {
    tuned_.arch = arch_;
    for (const SidePart& part : parts) {
      sides_.push_back(SideReader(arch_, moved_).read(part));
      moved_ = (moved_ + part.tuned.dst_counter) & kDstAddressMask;
      for (const TunedWord& each : part.tuned.entry) {
        if (std::ranges::find(tuned_.entry, each.word, &TunedWord::word) == tuned_.entry.end())
          tuned_.entry.push_back(each);
      }
    }
  }

  Tuned run() {
    place_macros();
    place_bodies();
    find_contested();
    init();
    for (const Side& side : sides_) tile(side);
    tuned_.dst_counter = moved_;
    count();
    contract();
    return std::move(tuned_);
  }

 private:
  // ------------------------------------------------------------------ macros
  /// Each program's macros and templates get numbers of the chain, if there are enough.
  void place_macros() {
    Numbers templates(kTemplateCount), macros(kMacroEnd - kFirstMacro);
    std::vector<Side> placed = sides_;
    for (Side& side : placed) {
      Settings settings;
      std::map<unsigned, unsigned> template_of, macro_of;
      for (const auto& [key, setting] : side.settings) {
        if (key.kind == SettingKind::Config && key.index < kTemplateCount)
          template_of[key.index] = templates.number(setting.bits);
      }
      for (const auto& [key, setting] : side.settings) {
        auto [place, value] = std::pair(key, setting);
        if (key.kind == SettingKind::Config && key.index < kTemplateCount)
          place.index = template_of.at(key.index);
        if (is_macro(key)) {
          value.bits = with_templates(setting.bits, template_of);
          macro_of[key.index - kFirstMacro] = macros.number(value.bits);
          place.index = kFirstMacro + macro_of.at(key.index - kFirstMacro);
        }
        settings[place] = value;
      }
      side.settings = std::move(settings);
      for (std::vector<TunedWord>* words : {&side.body, &side.tile}) {
        for (TunedWord& each : *words) each.word = with_macro(each.word, macro_of);
      }
    }
    if (templates.fit() && macros.fit()) sides_ = std::move(placed);
  }

  static bool is_macro(const SettingKey& key) {
    return key.kind == SettingKind::Config && key.index >= kFirstMacro && key.index < kMacroEnd;
  }

  static std::uint32_t with_templates(std::uint32_t sequence,
                                      const std::map<unsigned, unsigned>& template_of) {
    constexpr unsigned kFirstTemplate = 4;
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const unsigned chosen = sequence >> shift & 7U;
      if (chosen < kFirstTemplate) continue;
      sequence &= ~(7U << shift);
      sequence |= (kFirstTemplate + template_of.at(chosen - kFirstTemplate)) << shift;
    }
    return sequence;
  }

  std::uint32_t with_macro(std::uint32_t word, const std::map<unsigned, unsigned>& macro_of) const {
    const isa::Decoded decoded = isa::decode(arch_, word);
    if (decoded.row->op != Op::SFPLOADMACRO) return word;
    const isa::Field* field = decoded.row->field("MacroIndex");
    return (word & ~field->insert(~0U)) | field->insert(macro_of.at(field->extract(word)));
  }

  // ------------------------------------------------------------------ replay slots
  static bool same_body(const Side& a, const Side& b) {
    return std::ranges::equal(a.body, b.body, {}, &TunedWord::word, &TunedWord::word);
  }

  /// One behind the other; what has no room is recorded for each tile, behind those that have.
  void place_bodies() {
    unsigned all = 0, largest = 0;
    for (const Side& side : sides_) {
      all += static_cast<unsigned>(side.body.size());
      largest = std::max(largest, static_cast<unsigned>(side.body.size()));
    }
    const unsigned room = all <= kReplaySlots ? kReplaySlots : kReplaySlots - largest;
    unsigned next = 0;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      Side& side = sides_[i];
      const auto size = static_cast<unsigned>(side.body.size());
      if (size == 0) continue;
      const auto here = sides_.begin() + static_cast<std::ptrdiff_t>(i);
      const auto twin = std::find_if(sides_.begin(), here, [&](const Side& each) {
        return !each.is_again && same_body(each, side);
      });
      if (twin != here) {
        side.first_slot = twin->first_slot;
      } else if (next + size <= room) {
        side.first_slot = next;
        next += size;
      } else {
        side.is_again = true;
        side.first_slot = kReplaySlots - largest;
      }
      slots_ = std::max(slots_, side.first_slot + size);
    }
    for (Side& side : sides_) {
      for (TunedWord& each : side.tile) each.word = in_slots(each.word, side.first_slot);
    }
  }

  std::uint32_t in_slots(std::uint32_t word, unsigned first) const {
    const isa::Decoded decoded = isa::decode(arch_, word);
    if (decoded.row->op != Op::REPLAY) return word;
    return replay_word(arch_, decoded["Index"] + first, decoded["Count"], false);
  }

  void record(const Side& side, WordPart part) {
    if (side.body.empty()) return;
    add(nop_word(arch_), part, "");
    add(replay_word(arch_, side.first_slot, static_cast<unsigned>(side.body.size()), true), part,
        "records the body of " + side.name);
    for (const TunedWord& each : side.body)
      add(each.word, part == WordPart::Init ? WordPart::Body : part, each.comment);
  }

  // ------------------------------------------------------------------ settings
  /// What is not the same to all who set it. Registers are everybody's.
  void find_contested() {
    Settings first;
    for (const Side& side : sides_) {
      for (const auto& [key, setting] : side.settings) {
        const auto [place, is_new] = first.try_emplace(key, setting);
        if (key.kind == SettingKind::Register || (!is_new && !(place->second == setting)))
          contested_.insert(key);
      }
    }
  }

  void set(const SettingKey& key, const Setting& setting, WordPart part) {
    if (key.kind == SettingKind::Thread) {
      add(set_thread_config_word(arch_, key.index, setting.bits), part, setting.comment);
      return;
    }
    if (setting.is_immediate) {
      add(set_config_word(arch_, key.index, setting.bits, true), part, setting.comment);
      return;
    }
    const unsigned lreg = key.kind == SettingKind::Register ? key.index : 0;
    for (const std::uint32_t word : load_immediate_words(arch_, lreg, setting.bits))
      add(word, part, setting.comment);
    if (key.kind == SettingKind::Config)
      add(set_config_word(arch_, key.index, 0, false), part, setting.comment);
  }

  void init() {
    Settings once;
    for (const Side& side : sides_) {
      for (const auto& [key, setting] : side.settings) {
        if (!contested_.contains(key)) once.try_emplace(key, setting);
      }
    }
    for (const auto& [key, setting] : once) set(key, setting, WordPart::Init);
    std::set<unsigned> recorded;
    for (const Side& side : sides_) {
      if (!side.is_again && recorded.insert(side.first_slot).second) record(side, WordPart::Init);
    }
  }

  void tile(const Side& side) {
    bool configures = false;
    for (const auto& [key, setting] : side.settings) {
      if (!contested_.contains(key)) continue;
      set(key, setting, WordPart::Tile);
      configures = configures || key.kind == SettingKind::Config;
    }
    if (configures && !side.is_again) add(nop_word(arch_), WordPart::Tile, "");
    if (side.is_again) record(side, WordPart::Tile);
    for (const TunedWord& each : side.tile) add(each.word, WordPart::Tile, each.comment);
    for (unsigned i = 0; i < pads_; ++i)
      add(nop_word(arch_), WordPart::Tile, "macros of " + side.name + " end");
  }

  void add(std::uint32_t word, WordPart part, std::string comment) {
    tuned_.words.push_back({word, part, std::move(comment)});
  }

  // ------------------------------------------------------------------ contract
  void count() {
    std::set<unsigned> templates, macros;
    for (const Side& side : sides_) {
      for (const auto& [key, setting] : side.settings) {
        if (key.kind != SettingKind::Config) continue;
        if (key.index < kTemplateCount) templates.insert(key.index);
        if (is_macro(key)) macros.insert(key.index);
      }
    }
    tuned_.templates = static_cast<unsigned>(templates.size());
    tuned_.macros = static_cast<unsigned>(macros.size());
  }

  void say(std::string sentence) { tuned_.contract.sentences.push_back(std::move(sentence)); }

  void contract() {
    for (const Side& side : sides_) {
      if (side.body.empty()) continue;
      say(fmt::format("Replay slots {} to {} hold the body of {}{}.", side.first_slot,
                      side.first_slot + side.body.size() - 1, side.name,
                      side.is_again ? ", recorded for each tile" : " from the init part on"));
    }
    constexpr unsigned kSlotsOfVectorUnit = 16;
    if (slots_ > kSlotsOfVectorUnit)
      say("Replay slots from 16 on are the Matrix Unit's in LLK: its init comes again behind "
          "this.");
    for (const auto& [key, values] : settings_of_all())
      say(fmt::format("{} is {}{}.", name_of(key), fmt::join(values, ", then "),
                      contested_.contains(key) ? ", set for each tile" : " from the init part on"));
    say(fmt::format("The Dst counter has moved by {} at the end.", moved_));
  }

  /// Each once, with all values that it has.
  std::map<SettingKey, std::vector<std::string>> settings_of_all() const {
    std::map<SettingKey, std::vector<std::string>> all;
    for (const Side& side : sides_) {
      for (const auto& [key, setting] : side.settings) {
        const std::string value = key.kind == SettingKind::Thread
                                      ? fmt::format("{}", setting.bits)
                                      : fmt::format("0x{:x}", setting.bits);
        std::vector<std::string>& values = all[key];
        if (std::ranges::find(values, value) == values.end()) values.push_back(value);
      }
    }
    return all;
  }

  static std::string name_of(const SettingKey& key) {
    if (key.kind == SettingKind::Register) return fmt::format("LReg[{}]", key.index);
    if (key.kind == SettingKind::Thread) return fmt::format("Thread configuration {}", key.index);
    if (key.index < kTemplateCount) return fmt::format("Template {}", key.index);
    if (is_macro(key)) return fmt::format("Macro {}", key.index - kFirstMacro);
    return key.index == kMacroEnd ? "Misc" : fmt::format("LReg[{}]", key.index);
  }

  Arch arch_;
  unsigned pads_;
  Tuned tuned_;
  std::uint32_t moved_ = 0;
  std::vector<Side> sides_;
  std::set<SettingKey> contested_;
  unsigned slots_ = 0;
};

} // namespace

Tuned side_by_side(std::span<const SidePart> parts, unsigned pads) {
  return SideBySide(parts, pads).run();
}

} // namespace lanewise::tune
