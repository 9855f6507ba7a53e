#include "vectors/vector_file.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "base/line_source.h"
#include "isa/config.h"
#include "isa/encoding.h"
#include "machine/config_effects.h"
#include "machine/dst.h"
#include "vectors/vector_words.h"

namespace lanewise::lab {

namespace {

constexpr std::uint32_t kCell = 0xFFFF;

void take_flags(Words& words, std::vector<std::uint32_t>& values) {
  values.push_back(words.decimal("use", 1));
  values.push_back(words.hex("flags"));
}

/// `count` numbers, each at most `largest`.
void take_numbers(Words& words, std::vector<std::uint32_t>& values, unsigned count,
                  std::string_view what, std::uint32_t largest) {
  for (unsigned i = 0; i < count && !words.failed(); ++i)
    values.push_back(words.decimal(what, largest));
}

void take_hex(Words& words, std::vector<std::uint32_t>& values, unsigned count,
              std::string_view what, std::uint32_t largest = 0xFFFFFFFFU) {
  for (unsigned i = 0; i < count && !words.failed(); ++i)
    values.push_back(words.hex(what, largest));
}

/// Initial state can set the programmable constants, an expectation can name every register.
constexpr std::uint32_t kLastInitialLReg = 14, kLastExpectedLReg = 15;

/// The operands of an item, for initial state and expectation alike.
std::vector<std::uint32_t> take_values(Words& words, VectorItem item, std::uint32_t last_lreg) {
  std::vector<std::uint32_t> values;
  switch (item) {
    case VectorItem::LReg:
      values.push_back(words.decimal("register", last_lreg));
      take_hex(words, values, kLanes, "lane");
      break;
    case VectorItem::Cc: take_flags(words, values); break;
    case VectorItem::CcDepth: take_numbers(words, values, 1, "depth", 8); break;
    case VectorItem::Prng: take_hex(words, values, kLanes, "lane"); break;
    case VectorItem::Dst:
      values.push_back(words.decimal("row", kDstRows - 1));
      take_hex(words, values, kDstColumns, "cell", kCell);
      break;
    case VectorItem::SrcA:
    case VectorItem::SrcB:
      values.push_back(words.decimal("bank", 1));
      values.push_back(words.decimal("row", kSourceRows - 1));
      take_hex(words, values, 16, "cell");
      break;
    case VectorItem::Rwc:
      values.push_back(words.decimal("dst", Rwc::kDstMask));
      take_numbers(words, values, 2, "counter", Rwc::kSrcMask);
      values.push_back(words.decimal("fidelity", Rwc::kFidelityMask));
      break;
    case VectorItem::RwcCr:
      values.push_back(words.decimal("dst", Rwc::kDstMask));
      take_numbers(words, values, 2, "counter", Rwc::kSrcMask);
      break;
    case VectorItem::SrcBank: take_numbers(words, values, 2, "bank", 1); break;
    case VectorItem::SrcOwner: take_numbers(words, values, 4, "owner", 1); break;
    case VectorItem::DstValid:
      take_numbers(words, values, 2, "row", kDstRows - 1);
      values.push_back(words.decimal("flag", 1));
      if (!words.failed() && values[0] > values[1]) words.fail("rows run backwards");
      break;
    case VectorItem::AddrModBit: take_numbers(words, values, 1, "bit", 1); break;
    case VectorItem::Unchanged:
      while (!words.at_end() && !words.failed()) {
        const std::string_view file = words.word("file");
        if (file == "dst") {
          values.push_back(static_cast<std::uint32_t>(VectorItem::Dst));
        } else if (file == "srca") {
          values.push_back(static_cast<std::uint32_t>(VectorItem::SrcA));
        } else if (file == "srcb") {
          values.push_back(static_cast<std::uint32_t>(VectorItem::SrcB));
        } else {
          words.fail(fmt::format("'{}' is not one of dst, srca, srcb", file.substr(0, 40)));
        }
      }
      break;
  }
  if (!words.failed()) words.finish();
  return values;
}

std::optional<VectorItem> find_item(std::string_view name) {
  constexpr std::pair<std::string_view, VectorItem> kItems[] = {
      {"lreg", VectorItem::LReg},
      {"cc", VectorItem::Cc},
      {"ccdepth", VectorItem::CcDepth},
      {"prng", VectorItem::Prng},
      {"dst", VectorItem::Dst},
      {"srca", VectorItem::SrcA},
      {"srcb", VectorItem::SrcB},
      {"rwc", VectorItem::Rwc},
      {"rwccr", VectorItem::RwcCr},
      {"srcbank", VectorItem::SrcBank},
      {"srcowner", VectorItem::SrcOwner},
      {"dstvalid", VectorItem::DstValid},
      {"addrmodbit", VectorItem::AddrModBit},
      {"unchanged", VectorItem::Unchanged}};
  for (const auto& [text, item] : kItems) {
    if (text == name) return item;
  }
  return std::nullopt;
}

/// Puts one item of initial state in place; the values have been checked.
void apply(VectorCase& target, VectorItem item, const std::vector<std::uint32_t>& v) {
  MachineState& s = target.initial;
  switch (item) {
    case VectorItem::LReg: std::copy(v.begin() + 1, v.end(), s.vector.lreg[v[0]]); break;
    case VectorItem::Cc:
      s.vector.use_flags = v[0] != 0 ? kAllLanes : 0;
      s.vector.flags = v[1];
      break;
    case VectorItem::Prng: std::copy(v.begin(), v.end(), s.vector.prng); break;
    case VectorItem::Dst:
      for (unsigned i = 0; i < kDstColumns; ++i)
        s.dst.cell[v[0]][i] = static_cast<std::uint16_t>(v[i + 1]);
      break;
    case VectorItem::SrcA:
    case VectorItem::SrcB: {
      SourceFile& file = item == VectorItem::SrcA ? s.srca : s.srcb;
      std::copy(v.begin() + 2, v.end(), file.cell[v[0]][v[1]]);
      break;
    }
    case VectorItem::Rwc:
      s.rwc.dst = v[0], s.rwc.srca = v[1], s.rwc.srcb = v[2], s.rwc.fidelity = v[3];
      break;
    case VectorItem::RwcCr: s.rwc.dst_cr = v[0], s.rwc.srca_cr = v[1], s.rwc.srcb_cr = v[2]; break;
    case VectorItem::SrcBank:
      s.srca.current = static_cast<std::uint8_t>(v[0]);
      s.srcb.current = static_cast<std::uint8_t>(v[1]);
      break;
    case VectorItem::SrcOwner:
      s.srca.owned_by_matrix_unit = {v[0] != 0, v[1] != 0};
      s.srcb.owned_by_matrix_unit = {v[2] != 0, v[3] != 0};
      break;
    case VectorItem::DstValid:
      for (std::uint32_t row = v[0]; row <= v[1]; ++row) s.dst.set_valid(row, v[2] != 0);
      break;
    case VectorItem::AddrModBit: s.rwc.bias = v[0]; break;
    case VectorItem::CcDepth:
    case VectorItem::Unchanged: break; // expectations only
  }
}

void take_config(Words& words, VectorCase& target) {
  const std::string_view name = words.word("field");
  const std::uint32_t value = words.hex("value");
  if (words.failed()) return;
  const auto field = isa::find_config_field(target.arch(), name);
  if (!field) {
    return words.fail(fmt::format("{} has no configuration field '{}'",
                                  arch_params(target.arch()).name, name.substr(0, 80)),
                      "docs/configuration.md lists the fields");
  }
  set_config_field(target.initial, *field, value);
}

void take_addr_mod(Words& words, VectorCase& target) {
  const std::uint32_t section = words.decimal("section", 7);
  AddrModSection s = target.initial.config.addr_mod_section(section);
  s.dst_increment = words.decimal("dst.incr", 1023);
  s.dst_cr = words.decimal("dst.cr", 1) != 0;
  s.dst_clear = words.decimal("dst.clr", 1) != 0;
  s.dst_c_to_cr = words.decimal("dst.ctocr", 1) != 0;
  s.srca_increment = words.decimal("srca.incr", 63);
  s.srca_cr = words.decimal("srca.cr", 1) != 0;
  s.srca_clear = words.decimal("srca.clr", 1) != 0;
  s.srcb_increment = words.decimal("srcb.incr", 63);
  s.srcb_cr = words.decimal("srcb.cr", 1) != 0;
  s.srcb_clear = words.decimal("srcb.clr", 1) != 0;
  s.fidelity_increment = words.decimal("fid.incr", 3);
  s.fidelity_clear = words.decimal("fid.clr", 1) != 0;
  if (!words.failed()) target.initial.config.set_addr_mod(section, s);
}

void take_addr_mod_bias(Words& words, VectorCase& target) {
  const std::uint32_t section = words.decimal("section", 7);
  AddrModSection s = target.initial.config.addr_mod_section(section);
  s.bias_increment = words.decimal("incr", 15);
  s.bias_clear = words.decimal("clr", 1) != 0;
  if (!words.failed()) target.initial.config.set_addr_mod(section, s);
}

void take_word(Words& words, VectorCase& target) {
  const std::uint32_t word = words.hex("instruction word");
  if (words.failed()) return;
  if (isa::decode(target.arch(), word).row == nullptr) {
    return words.fail(fmt::format("{:08x} has opcode {:02X}, which {} does not have", word,
                                  isa::opcode_of(word), arch_params(target.arch()).long_name),
                      "check the chip and the byte order of the word");
  }
  target.words.push_back({word, words.number()});
}

/// A line of initial state or of the program.
void take_line(Words& words, VectorCase& target) {
  const std::string_view keyword = words.word("keyword");
  if (keyword == "exec") {
    take_word(words, target);
  } else if (keyword == "expect") {
    const auto item = find_item(words.word("what is expected"));
    if (!item) return words.fail("this cannot be expected");
    target.expectations.push_back(
        {*item, take_values(words, *item, kLastExpectedLReg), words.number()});
    return;
  } else if (keyword == "cfg") {
    take_config(words, target);
  } else if (keyword == "addrmod") {
    take_addr_mod(words, target);
  } else if (keyword == "addrmodbias") {
    take_addr_mod_bias(words, target);
  } else if (keyword == "ccpush") {
    std::vector<std::uint32_t> v;
    take_flags(words, v);
    FlagStack& stack = target.initial.vector.stack;
    if (stack.full_lanes() != 0) words.fail("more than 8 entries are pushed");
    if (!words.failed()) stack.push(kAllLanes, {.flags = v[1], .use = v[0] != 0 ? kAllLanes : 0});
  } else if (keyword == "laneconfig") {
    std::vector<std::uint32_t> v;
    take_hex(words, v, kColumns, "column", lane_config::kBits);
    if (words.failed()) return;
    std::array<std::uint32_t, kColumns> columns{};
    std::copy(v.begin(), v.end(), columns.begin());
    target.initial.vector.set_lane_config(columns);
  } else if (keyword == "srcfmt") {
    for (SourceFile* file : {&target.initial.srca, &target.initial.srcb}) {
      for (std::uint8_t& format : file->format)
        format = static_cast<std::uint8_t>(words.decimal("format", 15));
    }
  } else if (const auto item = find_item(keyword);
             item && *item != VectorItem::CcDepth && *item != VectorItem::Unchanged) {
    const std::vector<std::uint32_t> values = take_values(words, *item, kLastInitialLReg);
    if (!words.failed()) apply(target, *item, values);
    return;
  } else {
    return words.fail(fmt::format("'{}' is not a keyword of vector files", keyword.substr(0, 40)));
  }
  if (!words.failed()) words.finish();
}

} // namespace

class VectorReader::Source {
 public:
  Source(std::unique_ptr<LineSource> lines, std::string name)
      : lines_(std::move(lines)), name_(std::move(name)) {}

  Expected<std::unique_ptr<VectorCase>> next() {
    auto result = read();
    if (result) return result;
    Fault fault = result.error();
    fault.file = name_;
    return Unexpected(std::move(fault));
  }

 private:
  /// The next line with something on it.
  Expected<bool> advance(std::optional<Words>& words) {
    std::string_view line;
    for (;;) {
      auto more = lines_->next(line);
      if (!more || !*more) return more;
      words.emplace(line, ++number_);
      if (++lines_of_case_ > kMostLines) {
        return bad_input(
            fmt::format("a case, or what stands between two, has more than {} lines", kMostLines),
            "is this a vector file?", number_, 1);
      }
      if (!words->at_end()) return true;
    }
  }

  /// Remembers the name of a case.
  void take_name(Words& words, const std::string& name) {
    const auto [first, is_new] = names_.emplace(name, number_);
    if (!is_new)
      words.fail(fmt::format("there is a case {} already, in line {}", name, first->second),
                 "give every case a name of its own");
    if (names_.size() > kMostCases)
      words.fail(fmt::format("the file has more than {} cases", kMostCases), "split it");
  }

  Expected<std::unique_ptr<VectorCase>> read() {
    std::optional<Words> words;
    auto more = advance(words);
    if (!more) return Unexpected(more.error());
    if (!*more) {
      if (!names_.empty()) return nullptr;
      return bad_input("there is no case in the file", "is this a vector file?", number_ + 1, 1);
    }
    if (words->word("keyword") != "case") words->fail("a case starts with 'case NAME'");
    std::string name(words->word("name"));
    if (!words->failed()) take_name(*words, name);
    if (!words->failed()) words->finish();
    if (words->failed()) return words->mistake();
    lines_of_case_ = 0;
    return read_case(std::move(name));
  }

  Expected<std::unique_ptr<VectorCase>> read_case(std::string name) {
    std::unique_ptr<VectorCase> result;
    std::optional<Words> words;
    for (;;) {
      auto more = advance(words);
      if (!more) return Unexpected(more.error());
      if (!*more)
        return bad_input(fmt::format("case {} has no end", name), "is the file complete?", number_,
                         1);
      if (!result) {
        const auto arch =
            words->word("keyword") == "arch" ? parse_whole_arch(words->word("chip")) : std::nullopt;
        if (!arch) words->fail("a case names its chip next, 'arch bh' or 'arch wh'");
        if (words->failed()) return words->mistake();
        result = std::make_unique<VectorCase>(*arch);
        result->name = name;
        continue;
      }
      Words last = *words;
      if (last.word("keyword") == "end") {
        lines_of_case_ = 0;
        if (result->expectations.empty())
          last.fail(fmt::format("case {} expects nothing, so that it cannot differ", result->name),
                    "say what must come out");
        if (!last.failed()) last.finish();
        if (last.failed()) return last.mistake();
        return result;
      }
      take_line(*words, *result);
      if (words->failed()) return words->mistake();
    }
  }

  std::unique_ptr<LineSource> lines_;
  std::string name_;
  static constexpr std::uint32_t kMostLines = 1'000'000;
  static constexpr std::size_t kMostCases = 1'000'000;

  std::uint32_t number_ = 0;
  std::uint32_t lines_of_case_ = 0;                      ///< since the last 'case' or 'end'
  std::unordered_map<std::string, std::uint32_t> names_; ///< of cases, with their lines
};

Expected<VectorReader> VectorReader::open(const std::string& path) {
  auto lines = LineSource::open_file(path);
  if (!lines) return Unexpected(lines.error());
  return VectorReader(std::make_unique<Source>(std::move(*lines), path));
}

VectorReader VectorReader::from_text(std::string text, std::string name) {
  return VectorReader(
      std::make_unique<Source>(LineSource::from_text(std::move(text)), std::move(name)));
}

VectorReader::VectorReader(std::unique_ptr<Source> source) : source_(std::move(source)) {}
VectorReader::VectorReader(VectorReader&&) noexcept = default;
VectorReader& VectorReader::operator=(VectorReader&&) noexcept = default;
VectorReader::~VectorReader() = default;

Expected<std::unique_ptr<VectorCase>> VectorReader::next() {
  return source_->next();
}

} // namespace lanewise::lab
