#include "run/vectors/vector_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/in_quotes.h"
#include "base/line_source.h"
#include "chip/isa/encoding.h"
#include "chip/machine/dst.h"
#include "run/vectors/config_lines.h"
#include "run/vectors/tile_lines.h"
#include "run/vectors/vector_words.h"

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
std::vector<std::uint32_t> take_values(Words& words, Arch arch, VectorItem item,
                                       std::uint32_t last_lreg) {
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
        } else if (file == "l1") {
          values.push_back(static_cast<std::uint32_t>(VectorItem::L1));
        } else {
          words.fail(fmt::format("{} is not one of dst, srca, srcb, l1", in_quotes(file)));
        }
      }
      break;
    case VectorItem::L1:
    case VectorItem::Gpr:
    case VectorItem::Adc:
    case VectorItem::Semaphore:
    case VectorItem::Mutex:
    case VectorItem::ConfigWord:
    case VectorItem::ThreadWord:
    case VectorItem::FillBank:
    case VectorItem::SrcFormat:
    case VectorItem::SrcRow:
    case VectorItem::ContextCounter: take_tile_values(words, arch, item, values); break;
  }
  if (!words.failed()) words.finish();
  return values;
}

/// The item that a keyword names, in a case that is about a tile or not.
std::optional<VectorItem> find_item(std::string_view name, bool of_tile) {
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
  if (of_tile) return find_tile_item(name);
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
    case VectorItem::L1:
    case VectorItem::Gpr:
    case VectorItem::Adc:
    case VectorItem::Semaphore:
    case VectorItem::Mutex:
    case VectorItem::ConfigWord:
    case VectorItem::ThreadWord:
    case VectorItem::FillBank:
    case VectorItem::SrcFormat:
    case VectorItem::SrcRow:
    case VectorItem::ContextCounter: apply_tile_item(target, item, v); break;
  }
}

void take_word(Words& words, VectorCase& target, std::vector<ProgramWord>& to) {
  const std::uint32_t word = words.hex("instruction word");
  if (words.failed()) return;
  if (isa::decode(target.arch(), word).row == nullptr) {
    return words.fail(fmt::format("{:08x} has opcode {:02X}, which {} does not have", word,
                                  isa::opcode_of(word), arch_params(target.arch()).names.full),
                      "check the chip and the byte order of the word");
  }
  to.push_back({word, words.number()});
}

/// `tile`: from here on the case is about a whole tile, whose banks are the unpackers' at first.
void begin_tile(Words& words, VectorCase& target) {
  if (target.tile) return words.fail("the case is about a tile already");
  if (!target.words.empty() || !target.expectations.empty())
    return words.fail("a case says that it is about a tile before anything else");
  target.tile = std::make_unique<TilePart>();
  for (SourceFile* file : {&target.initial.srca, &target.initial.srcb})
    file->owned_by_matrix_unit = {};
}

/// `exec WORD`, or in a tile `run THREAD WORD`.
void take_instruction(Words& words, VectorCase& target, std::string_view keyword) {
  if ((keyword == "run") != (target.tile != nullptr))
    return words.fail(
        "instructions stand behind 'run THREAD' in a case about a tile, behind 'exec' "
        "in others");
  const std::uint32_t thread = target.tile ? words.decimal("thread", kThreads - 1) : 0;
  take_word(words, target, target.tile ? target.tile->words[thread] : target.words);
}

/// A line of initial state or of the program.
void take_line(Words& words, VectorCase& target) {
  const std::string_view keyword = words.word("keyword");
  const bool of_tile = target.tile != nullptr;
  if (keyword == "tile") {
    begin_tile(words, target);
  } else if (keyword == "exec" || keyword == "run") {
    take_instruction(words, target, keyword);
  } else if (keyword == "expect") {
    const auto item = find_item(words.word("what is expected"), of_tile);
    if (!item) return words.fail("this cannot be expected");
    std::vector<std::uint32_t> values = take_values(words, target.arch(), *item, kLastExpectedLReg);
    const auto l1 = static_cast<std::uint32_t>(VectorItem::L1);
    if (*item == VectorItem::Unchanged && !of_tile && std::ranges::find(values, l1) != values.end())
      return words.fail("only a case about a tile has L1");
    target.expectations.push_back({*item, std::move(values), words.number()});
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
  } else if (keyword == "srcfmt" && !of_tile) {
    for (SourceFile* file : {&target.initial.srca, &target.initial.srcb}) {
      for (std::uint8_t& format : file->format)
        format = static_cast<std::uint8_t>(words.decimal("format", 15));
    }
  } else if (const auto item = find_item(keyword, of_tile);
             item && *item != VectorItem::CcDepth && *item != VectorItem::Unchanged) {
    const std::vector<std::uint32_t> values =
        take_values(words, target.arch(), *item, kLastInitialLReg);
    if (!words.failed()) apply(target, *item, values);
    return;
  } else {
    return words.fail(fmt::format("{} is not a keyword of vector files", in_quotes(keyword)));
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
