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
#include "run/vectors/vector_items.h"
#include "run/vectors/vector_words.h"

namespace lanewise::vectors {

namespace {

/// Initial state can set the programmable constants, an expectation can name every register.
constexpr std::uint32_t kLastInitialLReg = 14, kLastExpectedLReg = 15;

/// The operands of an item, for initial state and expectation alike.
ItemValues take_values(Words& words, const VectorItemRow& row, const ItemScope& scope) {
  ItemValues values;
  row.take(words, scope, values);
  if (!words.failed()) words.finish();
  return values;
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
    const VectorItemRow* const row = find_item(words.word("what is expected"), of_tile);
    if (row == nullptr) return words.fail("this cannot be expected");
    ItemValues values = take_values(words, *row, {target.arch(), kLastExpectedLReg});
    const auto l1 = static_cast<std::uint32_t>(VectorItem::L1);
    if (row->item == VectorItem::Unchanged && !of_tile &&
        std::ranges::find(values, l1) != values.end())
      return words.fail("only a case about a tile has L1");
    target.expectations.push_back({row->item, std::move(values), words.number()});
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
  } else if (const VectorItemRow* const row = find_item(keyword, of_tile);
             row != nullptr && row->apply != nullptr) {
    const ItemValues values = take_values(words, *row, {target.arch(), kLastInitialLReg});
    if (!words.failed()) row->apply(target, values);
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

} // namespace lanewise::vectors
