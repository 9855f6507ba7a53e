#include "run/launch/dst_protocol.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/source_line.h"
#include "chip/isa/effects.h"
#include "chip/isa/row.h"

namespace lanewise::launch {

namespace {

constexpr unsigned kMathThread = 1, kPackThread = 2;
constexpr unsigned kDstSemaphore = 1; ///< LLK's number of the semaphore
constexpr std::string_view kRule = "programs 16";

std::string since(std::uint32_t line, std::string_view call) {
  return line == 0 ? std::string()
                   : fmt::format(", since {} in {} has given it away", call, line_text(line));
}

} // namespace

DstProtocol::DstProtocol(Arch arch, FoundLog& found)
    : arch_(arch),
      found_(found),
      wait_(isa::find_row(arch, isa::Op::SEMWAIT)->opcode),
      post_(isa::find_row(arch, isa::Op::SEMPOST)->opcode),
      get_(isa::find_row(arch, isa::Op::SEMGET)->opcode) {
  for (const isa::Row& row : isa::rows()) {
    if (!includes(row.chips, arch) || row.op == isa::Op::ZEROACC) continue;
    const bool is_unit = row.unit == isa::Unit::Matrix || row.unit == isa::Unit::Vector;
    if (is_unit && (isa::parts_written(row.op) & isa::part::kDst) != 0) computes_.set(row.opcode);
  }
}

bool DstProtocol::names_dst(const ProgramWord& word) const {
  return (isa::decode(arch_, word.word)["SemaphoreMask"] >> kDstSemaphore & 1U) != 0;
}

void DstProtocol::add(unsigned core, std::uint32_t line, std::string message, std::string remedy) {
  found_.add(core, line, FaultKind::UndefinedBehavior, std::move(message), std::move(remedy),
             kRule);
}

void DstProtocol::execute(const tile::Executed& executed, bool packed) {
  if (executed.thread == kMathThread) execute_math(executed.word);
  if (executed.thread == kPackThread) execute_pack(executed.word, packed);
}

void DstProtocol::execute_math(const ProgramWord& word) {
  const std::uint8_t opcode = isa::opcode_of(word.word);
  if (!is_acquired_ && computes_[opcode]) {
    if (early_.empty() || early_.back().line != word.line)
      early_.push_back({kMathThread,
                        word.line,
                        {.kind = FaultKind::UndefinedBehavior,
                         .message = fmt::format("writes Dst, which is not the math thread's{}",
                                                committed_line_ == 0
                                                    ? ": it has not called tile_regs_acquire()"
                                                    : since(committed_line_, "tile_regs_commit()")),
                         .remedy = "call tile_regs_acquire() before it",
                         .rule = std::string(kRule)}});
    constexpr std::size_t kEnough = 16;
    if (early_.size() > kEnough) early_.pop_back();
  }
  if (opcode == wait_ && names_dst(word)) is_acquired_ = true;
  if (opcode != post_ || !names_dst(word)) return;
  if (!is_acquired_)
    add(kMathThread, word.line,
        fmt::format("gives Dst to the pack thread and has not got it{}",
                    since(committed_line_, "tile_regs_commit()")),
        "call tile_regs_acquire() once before each tile_regs_commit()");
  is_acquired_ = false;
  committed_line_ = word.line;
}

void DstProtocol::execute_pack(const ProgramWord& word, bool packed) {
  is_packed_ = is_packed_ || packed;
  const std::uint8_t opcode = isa::opcode_of(word.word);
  if (packed && !is_waited_for_)
    add(kPackThread, word.line,
        fmt::format("packs from Dst, which is not the pack thread's{}",
                    released_line_ == 0 ? ": it has not called tile_regs_wait()"
                                        : since(released_line_, "tile_regs_release()")),
        "call tile_regs_wait() before it, and tile_regs_release() behind it");
  if (opcode == wait_ && names_dst(word)) is_waited_for_ = true;
  if (opcode != get_ || !names_dst(word)) return;
  if (!is_waited_for_)
    add(kPackThread, word.line,
        fmt::format("gives Dst to the math thread and has not got it{}",
                    since(released_line_, "tile_regs_release()")),
        "call tile_regs_wait() once before each tile_regs_release()");
  is_waited_for_ = false;
  released_line_ = word.line;
}

void DstProtocol::pack_nothing(std::uint32_t line) {
  found_.add(kPackThread, line, FaultKind::NonContractual,
             "packs a tile of Dst into which nothing was written since it was cleared: zeros",
             "check the index in Dst, and that the math thread computes there before it commits",
             kRule);
}

void DstProtocol::settle() {
  if (is_packed_)
    for (const Found& early : early_)
      add(early.core, early.line, early.fault.message, early.fault.remedy);
  early_.clear();
}

void DstProtocol::finish(const tile::TileState& tile,
                         const std::array<std::uint32_t, 2>& filled_line) {
  if (const unsigned left = tile.sync.semaphore[kDstSemaphore].value; left != 0 && is_packed_)
    add(kMathThread, committed_line_,
        fmt::format("{} parts of Dst are given to the pack thread at the end, and it has not given "
                    "them back",
                    left),
        "call tile_regs_wait() and tile_regs_release() as often as tile_regs_commit()");
  for (unsigned source = 0; source < 2; ++source) {
    const SourceFile& file = source == 0 ? tile.machine.srca : tile.machine.srcb;
    unsigned left = 0;
    for (const bool is_full : file.owned_by_matrix_unit) left += is_full ? 1 : 0;
    if (left == 0 || filled_line[source] == 0) continue;
    add(0, filled_line[source],
        fmt::format("{} banks of Src{} are full at the end, and no instruction of the math thread "
                    "has taken them",
                    left, source == 0 ? 'A' : 'B'),
        "unpack as many tiles as are computed with");
  }
}

} // namespace lanewise::launch
