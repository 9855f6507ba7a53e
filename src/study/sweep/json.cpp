#include "study/sweep/json.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace lanewise::sweep {

namespace {

// --- Both ways at once: each structure names its members once, in `members`, and a Writer or a
// --- Reader goes through them. Structures are arrays in JSON.

template <class Archive, class Value>
void members(Archive& archive, Value& value);

class Writer {
 public:
  static constexpr bool kReads = false;

  template <class... Values>
  void operator()(Values&... values) {
    (add(values), ...);
  }
  Json take() { return std::move(array_); }

  template <class Value>
  static Json written(Value& value) {
    if constexpr (std::is_same_v<std::remove_const_t<Value>, double>) {
      return std::bit_cast<std::uint64_t>(value);
    } else if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>) {
      return value;
    } else if constexpr (std::is_enum_v<Value>) {
      return static_cast<std::underlying_type_t<Value>>(value);
    } else {
      Writer writer;
      members(writer, value);
      return writer.take();
    }
  }

 private:
  template <class Value>
  void add(Value& value) {
    array_.push_back(written(value));
  }

  Json array_ = Json::array();
};

class Reader {
 public:
  static constexpr bool kReads = true;

  explicit Reader(const Json& json) : array_(json) {
    if (!json.is_array()) throw MalformedState("a list is missing");
  }
  ~Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  template <class... Values>
  void operator()(Values&... values) {
    (take(values), ...);
  }

  std::size_t size() const { return array_.size(); }
  const Json& next() { return array_.at(place_++); }

  template <class Value>
  static void read(const Json& json, Value& value) {
    if constexpr (std::is_same_v<Value, double>) {
      value = std::bit_cast<double>(whole<std::uint64_t>(json));
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = json.get<bool>();
    } else if constexpr (std::is_integral_v<Value>) {
      value = whole<Value>(json);
    } else if constexpr (std::is_same_v<Value, std::string>) {
      value = json.get<std::string>();
    } else if constexpr (std::is_enum_v<Value>) {
      value = static_cast<Value>(whole<std::underlying_type_t<Value>>(json));
    } else {
      Reader reader(json);
      members(reader, value);
    }
  }

 private:
  template <class Value>
  void take(Value& value) {
    read(next(), value);
  }

  template <class Number>
  static Number whole(const Json& json) {
    if (json.is_number_unsigned()) {
      const auto number = json.get<std::uint64_t>();
      if (std::in_range<Number>(number)) return static_cast<Number>(number);
    } else if (json.is_number_integer()) {
      const auto number = json.get<std::int64_t>();
      if (std::in_range<Number>(number)) return static_cast<Number>(number);
    }
    throw MalformedState("a whole number is missing, or too large");
  }

  const Json& array_;
  std::size_t place_ = 0;
};

template <class Archive, class Item>
void list(Archive& archive, std::vector<Item>& items) {
  if constexpr (Archive::kReads) {
    items.resize(archive.size());
    for (Item& item : items) archive(item);
  } else {
    for (Item& item : items) archive(item);
  }
}

template <class Archive>
void histogram(Archive& archive, std::map<int, std::uint64_t>& counts) {
  if constexpr (Archive::kReads) {
    counts.clear();
    for (std::size_t i = 0; i < archive.size(); i += 2) {
      int key = 0;
      std::uint64_t count = 0;
      archive(key, count);
      counts[key] = count;
    }
  } else {
    for (auto& [key, count] : counts) archive(key, count);
  }
}

/// Something that may not be there: a list of one, or none.
template <class Archive, class Value>
void maybe(Archive& archive, std::optional<Value>& value) {
  if constexpr (Archive::kReads) {
    value.reset();
    if (archive.size() != 0) archive(value.emplace());
  } else {
    if (value) archive(*value);
  }
}

/// Parts by their index; those without inputs are left out.
template <class Archive>
void parts(Archive& archive, std::vector<PartStatistics>& all) {
  if constexpr (Archive::kReads) {
    for (std::size_t i = 0; i < archive.size(); i += 2) {
      std::uint32_t index = 0;
      archive(index);
      if (index >= all.size()) throw MalformedState("a part of the inputs that there is not");
      archive(all[index]);
    }
  } else {
    for (std::uint32_t index = 0; index < all.size(); ++index) {
      if (all[index].inputs != 0) archive(index, all[index]);
    }
  }
}

template <class Archive, class Value>
void members(Archive& archive, Value& v) {
  if constexpr (std::is_same_v<Value, SweepCase>) {
    archive(v.x, v.y, v.expected, v.found, v.exact);
  } else if constexpr (std::is_same_v<Value, decltype(UlpStatistics::rows)>) {
    for (std::uint64_t& row : v) archive(row);
  } else if constexpr (std::is_same_v<Value, UlpStatistics>) {
    archive(v.rows, v.lost, v.wrong, v.largest, v.sum, v.largest_exact, v.sum_exact, v.exact_count,
            v.worst, v.worst_exact);
  } else if constexpr (std::is_same_v<Value, WrongKinds>) {
    archive(v.nan, v.infinite, v.finite, v.zero, v.nonzero, v.sign);
  } else if constexpr (std::is_same_v<Value, ClassStatistics>) {
    archive(v.inputs, v.differ, v.first);
  } else if constexpr (std::is_same_v<Value, PartStatistics>) {
    archive(v.inputs, v.largest, v.sum, v.largest_exact, v.lost, v.worst, v.sample);
  } else if constexpr (std::is_same_v<Value, Monotonicity>) {
    archive(v.reversals, v.largest, v.left, v.right);
  } else if constexpr (std::is_same_v<Value, Symmetry>) {
    archive(v.pairs, v.reference_not_even, v.reference_not_odd, v.found_not_even, v.found_not_odd,
            v.first_not_even, v.first_not_odd);
  } else if constexpr (std::is_same_v<Value, RunEnd>) {
    archive(v.steps, v.position, v.result);
  } else if constexpr (std::is_same_v<Value, Fault>) {
    archive(v.kind, v.message, v.remedy, v.rule, v.instruction, v.file, v.line, v.column, v.lane);
  } else if constexpr (std::is_same_v<Value, std::map<int, std::uint64_t>>) {
    histogram(archive, v);
  } else if constexpr (std::is_same_v<Value, std::vector<PartStatistics>>) {
    parts(archive, v);
  } else if constexpr (requires { v.has_value(); }) {
    maybe(archive, v);
  } else {
    list(archive, v);
  }
}

/// The members of a chip that a sweep adds to, chunk by chunk.
template <class Archive>
void chip_members(Archive& archive, ChipTotals& totals) {
  SweepStatistics& v = totals.statistics;
  archive(v.outside, v.error, v.before_store, v.zero_signs, v.undecided, v.expected_nan, v.denormal,
          v.infinite, v.nan, v.worst, v.histogram, v.monotonicity, v.symmetry, v.faults);
  archive(totals.decades, totals.bins, totals.cells, totals.ends.last[0], totals.ends.last[1]);
}

} // namespace

Json chip_to_json(const ChipTotals& totals) {
  ChipTotals copy = totals; // `members` serves both ways, so that it takes no const
  Writer writer;
  chip_members(writer, copy);
  return writer.take();
}

void chip_from_json(const Json& json, ChipTotals& totals) {
  Reader reader(json);
  chip_members(reader, totals);
  for (const Fault& fault : totals.statistics.faults) {
    if (fault.kind > FaultKind::BadInput) throw MalformedState("a kind of fault that there is not");
  }
}

} // namespace lanewise::sweep
