#include "chip/machine/matrix/product_memo.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lanewise {

namespace {

thread_local ProductMemo* current_memo = nullptr;

constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15U; // 2^64 over the golden ratio

/// Of every `step`-th number. What it says is only where to look.
template <class Number>
std::uint64_t hash_of(const Number* numbers, unsigned count, unsigned step) {
  std::uint64_t hash = count;
  for (unsigned i = 0; i < count; i += step) hash = (hash ^ numbers[i]) * kSpread;
  return hash ^ hash >> 32;
}

bool is_same(const MatrixMode& one, const MatrixMode& other) {
  return one.arithmetic == other.arithmetic && one.wide == other.wide &&
         one.keeps_denormals == other.keeps_denormals && one.phase == other.phase &&
         one.srca_mask == other.srca_mask && one.srcb_mask == other.srcb_mask;
}

constexpr unsigned cells_of(const MatrixMode& mode) {
  return ProductMemo::kHalf * (mode.wide ? 2 : 1);
}

} // namespace

// ---------------------------------------------------------------- Operands

std::uint64_t ProductMemo::Operands::hash(const std::uint32_t* operand) const {
  return hash_of(operand, cells_, 5);
}

bool ProductMemo::Operands::is(std::uint32_t place, const std::uint32_t* operand) const {
  return std::memcmp(all_.data() + place, operand, cells_ * sizeof *operand) == 0;
}

std::uint32_t ProductMemo::Operands::put(const std::uint32_t* operand) {
  if (places_.empty()) places_.resize(1U << kPlaceBits, kNone);
  std::uint32_t& place = places_[hash(operand) >> (32 - kPlaceBits) & (places_.size() - 1)];
  if (place != kNone && is(place, operand)) return place;
  place = static_cast<std::uint32_t>(all_.size());
  all_.insert(all_.end(), operand, operand + cells_);
  return place;
}

// ---------------------------------------------------------------- Products

bool ProductMemo::is(const Entry& entry, const Product& product) const {
  const std::size_t bytes = cells_of(product.mode) * sizeof(std::uint16_t);
  return is_same(entry.mode, product.mode) && a_.is(entry.a, product.a) &&
         b_.is(entry.b, product.b) &&
         std::memcmp(rows_.data() + entry.rows, product.before->data(), bytes) == 0;
}

std::uint64_t ProductMemo::hash_of_all(const Product& product) const {
  const std::uint64_t hash = ((a_.hash(product.a) * kSpread) ^ b_.hash(product.b)) * kSpread +
                             hash_of(product.before->data(), cells_of(product.mode), 3) +
                             product.mode.phase;
  return hash * kSpread;
}

const std::uint16_t* ProductMemo::found_at(std::uint32_t entry) {
  ++found_;
  left_ = std::min(left_ + 1, kPatience);
  entries_[last_].next = entry;
  last_ = entry;
  return rows_.data() + entries_[entry].rows + cells_of(entries_[entry].mode);
}

/// A loop goes the way that it went the last time.
const std::uint16_t* ProductMemo::find(const Product& product) {
  if (places_.empty()) {
    places_.resize(1U << kPlaceBits, kNone);
    seen_.resize(1U << kSeenBits);
  }
  if (!entries_.empty()) {
    const std::uint32_t next = entries_[last_].next;
    if (is(entries_[next], product)) return found_at(next);
  }
  const std::uint64_t hash = hash_of_all(product);
  place_ = hash >> (64 - kPlaceBits);
  const auto part = static_cast<std::uint32_t>(hash);
  comes_again_ = std::exchange(seen_[hash >> (64 - kSeenBits)], part) == part;
  const std::uint32_t entry = places_[place_];
  return entry != kNone && is(entries_[entry], product) ? found_at(entry) : nullptr;
}

void ProductMemo::remember(const Product& product, const Rows& after) {
  if (left_ != 0) --left_;
  if (!comes_again_ || entries_.size() == kMost) return;
  const unsigned cells = cells_of(product.mode);
  const auto entry = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({.a = a_.put(product.a),
                      .b = b_.put(product.b),
                      .rows = static_cast<std::uint32_t>(rows_.size()),
                      .next = 0,
                      .mode = product.mode});
  rows_.insert(rows_.end(), product.before->begin(), product.before->begin() + cells);
  rows_.insert(rows_.end(), after.begin(), after.begin() + cells);
  places_[place_] = entry;
  entries_[last_].next = entry;
  last_ = entry;
}

// ---------------------------------------------------------------- Who remembers

ProductMemo::Scope::Scope() : memo_(std::make_unique<ProductMemo>()), before_(current_memo) {
  current_memo = memo_.get();
}

ProductMemo::Scope::~Scope() {
  current_memo = before_;
}

ProductMemo* ProductMemo::current() {
  return current_memo == nullptr || current_memo->rests() ? nullptr : current_memo;
}

} // namespace lanewise
