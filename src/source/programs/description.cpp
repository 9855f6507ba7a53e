#include "source/programs/description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/in_quotes.h"
#include "base/near_names.h"

namespace lanewise::programs {

namespace {

using nlohmann::json;

/// The first thing that is wrong, which ends the reading.
struct Wrong {
  Fault fault;
};

/// A value and where it stands. Members throw Wrong, which parse_description() catches.
class Value {
 public:
  Value(const json& value, std::string path) : value_(value), path_(std::move(path)) {}

  [[noreturn]] void fail(std::string message, std::string remedy) const {
    throw Wrong{at_origin(path_, std::move(message), std::move(remedy)).value()};
  }

  const std::string& path() const { return path_; }
  bool is_object() const { return value_.is_object(); }

  std::string text() const {
    if (!value_.is_string()) fail("is no text", "write it in quotes");
    return value_.get<std::string>();
  }

  bool truth() const {
    if (!value_.is_boolean()) fail("is neither true nor false", "write one of them");
    return value_.get<bool>();
  }

  std::uint64_t number(std::uint64_t most = std::numeric_limits<std::uint32_t>::max()) const {
    const bool is_number = value_.is_number_integer() || value_.is_number_unsigned();
    const bool is_negative =
        is_number && !value_.is_number_unsigned() && value_.get<std::int64_t>() < 0;
    if (!is_number || is_negative || value_.get<std::uint64_t>() > most)
      fail(fmt::format("is no whole number from 0 to {}", most), "write one without quotes");
    return value_.get<std::uint64_t>();
  }

  /// The elements of an array.
  std::vector<Value> items() const {
    if (!value_.is_array()) fail("is no list", "write it in square brackets");
    std::vector<Value> all;
    for (std::size_t i = 0; i < value_.size(); ++i)
      all.emplace_back(value_[i], fmt::format("{}[{}]", path_, i));
    return all;
  }

  /// The member of an object of each name, in the order of the file; all names must be known.
  std::vector<std::pair<std::string, Value>> members(
      std::initializer_list<std::string_view> known) const {
    if (!value_.is_object()) fail("is no object", "write it in braces");
    const std::vector<std::string_view> names(known);
    std::vector<std::pair<std::string, Value>> all;
    for (const auto& [name, member] : value_.items()) {
      const std::string path = path_.empty() ? name : path_ + "." + name;
      if (!names.empty() && std::ranges::find(names, name) == names.end()) {
        const auto near = near_names(name, names);
        fail(fmt::format("there is no field {}", in_quotes(name)),
             fmt::format("choose {}", fmt::join(near.empty() ? names : near, ", ")));
      }
      all.emplace_back(name, Value(member, path));
    }
    return all;
  }

  template <class T>
  T choice(std::initializer_list<std::pair<std::string_view, T>> choices) const {
    const std::string given = text();
    std::vector<std::string_view> names;
    for (const auto& [name, value] : choices) {
      if (name == given) return value;
      names.push_back(name);
    }
    fail(fmt::format("{} is none of its values", in_quotes(given)),
         fmt::format("choose {}", fmt::join(names, ", ")));
  }

  DataFormat format() const {
    auto format = parse_data_format(text());
    if (!format) fail(format.error().message, format.error().remedy);
    return *format;
  }

 private:
  const json& value_;
  std::string path_;
};

/// {"buffer": NAME} or {"buffer": NAME, "offset": BYTES}.
AddressOf address_of(const Value& value) {
  std::optional<std::string> buffer;
  std::uint32_t offset = 0;
  for (const auto& [name, field] : value.members({"buffer", "offset"})) {
    if (name == "buffer") buffer = field.text();
    if (name == "offset") offset = static_cast<std::uint32_t>(field.number());
  }
  if (!buffer) value.fail("names no buffer", "write {\"buffer\": NAME}, or an \"offset\" besides");
  return {.buffer = std::move(*buffer), .offset = offset};
}

/// {"accessor": NAME}; nothing of what is something else.
std::optional<AccessorOf> accessor_of(const Value& value) {
  if (!value.is_object()) return std::nullopt;
  const auto members = value.members({"buffer", "offset", "accessor", "core_x", "core_y"});
  if (members.size() != 1 || members.front().first != "accessor") return std::nullopt;
  return AccessorOf{members.front().second.text()};
}

/// [x, y].
Core core_of(const Value& value) {
  const auto place = value.items();
  if (place.size() != 2) value.fail("has not two coordinates", "write [x, y]");
  return {static_cast<unsigned>(place[0].number(63)), static_cast<unsigned>(place[1].number(63))};
}

/// {"core_x": [x, y]} or {"core_y": [x, y]}; nothing of what is something else.
std::optional<PlaceOf> place_of(const Value& value) {
  if (!value.is_object()) return std::nullopt;
  const auto members = value.members({"buffer", "offset", "accessor", "core_x", "core_y"});
  if (members.size() != 1 || !members.front().first.starts_with("core_")) return std::nullopt;
  return PlaceOf{.core = core_of(members.front().second),
                 .is_row = members.front().first == "core_y"};
}

/// A number, an address in a buffer, or a coordinate of a core.
Argument argument_of(const Value& value) {
  if (const auto place = place_of(value)) return *place;
  if (value.is_object()) return address_of(value);
  return static_cast<std::uint32_t>(value.number());
}

/// The same, or what stands for an accessor.
CompileArgument compile_argument_of(const Value& value) {
  if (auto accessor = accessor_of(value)) return std::move(*accessor);
  return std::visit([](auto argument) -> CompileArgument { return argument; }, argument_of(value));
}

template <class T, class Read>
std::vector<T> list_of(const Value& value, const Read& read) {
  std::vector<T> all;
  for (const Value& each : value.items()) all.push_back(read(each));
  return all;
}

unsigned small_number(const Value& value, unsigned most) {
  return static_cast<unsigned>(value.number(most));
}

/// [x, y], or [x0, y0, x1, y1] of two corners, each.
CoreSet cores_of(const Value& value) {
  return list_of<CoreRange>(value, [](const Value& each) {
    const auto numbers =
        list_of<unsigned>(each, [](const Value& number) { return small_number(number, 63); });
    if (numbers.size() == 2) return CoreRange{{numbers[0], numbers[1]}, {numbers[0], numbers[1]}};
    if (numbers.size() != 4 || numbers[2] < numbers[0] || numbers[3] < numbers[1])
      each.fail("is neither a core nor a rectangle of cores",
                "write [x, y], or [x0, y0, x1, y1] with the lower corner first");
    return CoreRange{{numbers[0], numbers[1]}, {numbers[2], numbers[3]}};
  });
}

/// [rows, columns], in pages.
std::array<std::uint32_t, 2> sides_of(const Value& value) {
  const auto sides = value.items();
  if (sides.size() != 2) value.fail("has not two sides", "write [rows, columns]");
  return {static_cast<std::uint32_t>(sides[0].number()),
          static_cast<std::uint32_t>(sides[1].number())};
}

Shards shards_of(const Value& value) {
  Shards shards;
  for (const auto& [name, field] : value.members({"cores", "tensor", "shard"})) {
    if (name == "cores") shards.cores = list_of<Core>(field, core_of);
    if (name == "tensor") shards.tensor = sides_of(field);
    if (name == "shard") shards.shard = sides_of(field);
  }
  return shards;
}

std::map<Core, std::vector<Argument>> arguments_at(const Value& value) {
  std::map<Core, std::vector<Argument>> all;
  for (const Value& each : value.items()) {
    std::optional<Core> core;
    std::vector<Argument> arguments;
    for (const auto& [name, field] : each.members({"core", "args"})) {
      if (name == "core") core = core_of(field);
      if (name == "args") arguments = list_of<Argument>(field, argument_of);
    }
    if (!core) each.fail("names no core", "write {\"core\": [x, y], \"args\": [...]}");
    if (!all.emplace(*core, std::move(arguments)).second)
      each.fail(fmt::format("has arguments for core {} once more", core_text(*core)),
                "give each core one list");
  }
  return all;
}

void read_buffer(const Value& value, Description& description) {
  Buffer buffer;
  buffer.origin = value.path();
  BufferFiles files;
  constexpr auto kMost = std::uint64_t{1} << 40;
  for (const auto& [name, field] : value.members(
           {"name", "memory", "bytes", "page_bytes", "address", "sharded", "shards", "interleaved",
            "input", "output", "stream", "written", "format", "layout", "shape", "origin"})) {
    if (name == "name") buffer.name = field.text();
    if (name == "memory")
      buffer.memory =
          field.choice<BufferMemory>({{"dram", BufferMemory::Dram}, {"l1", BufferMemory::L1}});
    if (name == "bytes") buffer.bytes = field.number(kMost);
    if (name == "page_bytes") buffer.page_bytes = field.number(kMost);
    if (name == "address") buffer.address = field.number(kMost);
    if (name == "sharded") buffer.is_sharded = field.truth();
    if (name == "shards") buffer.shards = shards_of(field);
    if (name == "interleaved") buffer.is_interleaved = field.truth();
    if (name == "input") files.input = field.text();
    if (name == "output") files.output = field.text();
    if (name == "stream") files.from_stream = field.truth();
    if (name == "written") buffer.is_written = field.truth();
    if (name == "format") files.format = field.format();
    if (name == "layout") files.in_rows = field.choice<bool>({{"tiles", false}, {"rows", true}});
    if (name == "shape")
      files.shape = list_of<std::size_t>(field, [](const Value& each) { return each.number(); });
    if (name == "origin") buffer.origin = field.text();
  }
  if (buffer.page_bytes == 0) buffer.page_bytes = buffer.bytes;
  buffer.is_sharded = buffer.is_sharded || buffer.shards;
  description.program.buffers.push_back(std::move(buffer));
  description.files.push_back(std::move(files));
}

FreedBuffer freed_buffer_of(const Value& value) {
  FreedBuffer freed;
  constexpr auto kMost = std::uint64_t{1} << 40;
  for (const auto& [name, field] :
       value.members({"memory", "address", "bank_bytes", "origin", "given_at"})) {
    if (name == "memory")
      freed.memory =
          field.choice<BufferMemory>({{"dram", BufferMemory::Dram}, {"l1", BufferMemory::L1}});
    if (name == "address") freed.address = field.number(kMost);
    if (name == "bank_bytes") freed.bank_bytes = field.number(kMost);
    if (name == "origin") freed.origin = field.text();
    if (name == "given_at") freed.given_at = field.text();
  }
  return freed;
}

CbIndex cb_index_of(const Value& value) {
  CbIndex index;
  for (const auto& [name, field] : value.members({"index", "format", "page_bytes", "tile"})) {
    if (name == "index") index.index = small_number(field, 255);
    if (name == "format") index.format = field.format();
    if (name == "page_bytes") index.page_bytes = static_cast<std::uint32_t>(field.number());
    if (name == "tile") {
      const auto sides = field.items();
      if (sides.size() != 2) field.fail("has not two sides", "write [rows, columns]");
      index.tile = {small_number(sides[0], 32), small_number(sides[1], 32)};
    }
  }
  if (index.page_bytes == 0)
    index.page_bytes = format_bytes(index.format, index.tile.rows * index.tile.columns);
  return index;
}

CircularBuffer circular_buffer_of(const Value& value) {
  CircularBuffer cb{.origin = value.path(), .indices = {}, .buffer = {}, .cores = {}};
  CbIndex only;
  bool has_own = false;
  std::uint32_t pages = 0;
  for (const auto& [name, field] :
       value.members({"index", "format", "page_bytes", "tile", "pages", "bytes", "indices",
                      "buffer", "cores", "origin"})) {
    if (name == "cores") cb.cores = cores_of(field);
    if (name == "bytes") cb.bytes = static_cast<std::uint32_t>(field.number());
    if (name == "pages") pages = static_cast<std::uint32_t>(field.number());
    if (name == "indices") cb.indices = list_of<CbIndex>(field, cb_index_of);
    if (name == "buffer") cb.buffer = field.text();
    if (name == "origin") cb.origin = field.text();
    if (name == "index") {
      only.index = small_number(field, 255);
      has_own = true;
    }
    if (name == "format") only.format = field.format();
    if (name == "page_bytes") only.page_bytes = static_cast<std::uint32_t>(field.number());
  }
  if (has_own) {
    if (only.page_bytes == 0) only.page_bytes = format_bytes(only.format, 1024);
    cb.indices.push_back(only);
  }
  if (cb.bytes == 0 && !cb.indices.empty() &&
      pages <= std::numeric_limits<std::uint32_t>::max() / std::max(1U, cb.indices[0].page_bytes))
    cb.bytes = pages * cb.indices[0].page_bytes;
  return cb;
}

Semaphore semaphore_of(const Value& value) {
  Semaphore semaphore;
  semaphore.origin = value.path();
  for (const auto& [name, field] : value.members({"id", "initial", "cores", "origin"})) {
    if (name == "cores") semaphore.cores = cores_of(field);
    if (name == "id") semaphore.id = small_number(field, 255);
    if (name == "initial") semaphore.initial = static_cast<std::uint32_t>(field.number());
    if (name == "origin") semaphore.origin = field.text();
  }
  return semaphore;
}

void read_compute(const Value& value, ComputeSettings& compute) {
  for (const auto& [name, field] :
       value.members({"math_fidelity", "fp32_dest_acc_en", "dst_full_sync_en", "math_approx_mode",
                      "bfp8_pack_precise", "unpack_to_dest_fp32"})) {
    if (name == "math_fidelity")
      compute.fidelity = field.choice<Fidelity>({{"LoFi", Fidelity::LoFi},
                                                 {"HiFi2", Fidelity::HiFi2},
                                                 {"HiFi3", Fidelity::HiFi3},
                                                 {"HiFi4", Fidelity::HiFi4}});
    if (name == "fp32_dest_acc_en") compute.fp32_dest = field.truth();
    if (name == "dst_full_sync_en") compute.full_sync = field.truth();
    if (name == "math_approx_mode") compute.approximates = field.truth();
    if (name == "bfp8_pack_precise") compute.packs_bfp8_precisely = field.truth();
    if (name == "unpack_to_dest_fp32")
      compute.unpack_to_dest =
          list_of<unsigned>(field, [](const Value& each) { return small_number(each, 255); });
  }
}

Kernel kernel_of(const Value& value) {
  Kernel kernel;
  kernel.origin = value.path();
  bool has_noc = false;
  for (const auto& [name, field] :
       value.members({"file", "text", "processor", "noc", "noc_mode", "compute", "compile_args",
                      "named_compile_args", "defines", "includes", "cores", "runtime_args",
                      "runtime_args_at", "common_runtime_args", "named_in", "origin"})) {
    if (name == "cores") kernel.cores = cores_of(field);
    if (name == "runtime_args_at") kernel.runtime_args_at = arguments_at(field);
    if (name == "file") kernel.file = field.text();
    if (name == "named_in") kernel.named_in = field.text();
    if (name == "text") kernel.text = field.text();
    if (name == "origin") kernel.origin = field.text();
    if (name == "processor")
      kernel.processor = field.choice<Processor>({{"riscv_0", Processor::Riscv0},
                                                  {"riscv_1", Processor::Riscv1},
                                                  {"compute", Processor::Compute}});
    if (name == "noc") {
      kernel.noc = small_number(field, 1);
      has_noc = true;
    }
    if (name == "noc_mode")
      kernel.is_dynamic = field.choice<bool>({{"dedicated", false}, {"dynamic", true}});
    if (name == "compute") read_compute(field, kernel.compute);
    if (name == "compile_args")
      kernel.compile_args = list_of<CompileArgument>(field, compile_argument_of);
    if (name == "named_compile_args")
      for (const auto& [key, each] : field.members({}))
        kernel.named_args.emplace(key, compile_argument_of(each));
    if (name == "defines")
      for (const auto& [key, each] : field.members({}))
        kernel.defines.emplace_back(key, each.text());
    if (name == "includes")
      kernel.includes = list_of<std::string>(field, [](const Value& each) { return each.text(); });
    if (name == "runtime_args") kernel.runtime_args = list_of<Argument>(field, argument_of);
    if (name == "common_runtime_args") kernel.common_args = list_of<Argument>(field, argument_of);
  }
  if (kernel.file.empty() == kernel.text.empty())
    value.fail("has neither a file nor a text, or both", "give one of them");
  // As readers and writers have them by default.
  if (!has_noc) kernel.noc = kernel.processor == Processor::Riscv0 ? 1 : 0;
  return kernel;
}

Description read(const Value& value) {
  Description description;
  Program& program = description.program;
  for (const auto& [name, field] : value.members({"arch", "core", "grid", "buffers", "freed",
                                                  "circular_buffers", "semaphores", "kernels"})) {
    if (name == "arch") {
      const auto arch = parse_whole_arch(field.text());
      if (!arch) field.fail("is no chip", "choose bh or wh");
      program.arch = *arch;
    }
    if (name == "core") program.core = core_of(field);
    if (name == "grid") program.grid = core_of(field);
    if (name == "buffers")
      for (const Value& each : field.items()) read_buffer(each, description);
    if (name == "freed") program.freed = list_of<FreedBuffer>(field, freed_buffer_of);
    if (name == "circular_buffers")
      program.circular_buffers = list_of<CircularBuffer>(field, circular_buffer_of);
    if (name == "semaphores") program.semaphores = list_of<Semaphore>(field, semaphore_of);
    if (name == "kernels") program.kernels = list_of<Kernel>(field, kernel_of);
  }
  return description;
}

} // namespace

Expected<Description> parse_description(std::string_view text) {
  try {
    const json document = json::parse(text);
    return read(Value(document, ""));
  } catch (const json::parse_error& error) {
    return bad_input(fmt::format("the description is no JSON, at byte {}", error.byte),
                     "check brackets, commas and quotes there");
  } catch (const json::out_of_range&) {
    return bad_input("the description has a number that no 64-bit floating-point number can hold",
                     "no field takes one that large");
  } catch (const Wrong& wrong) {
    return Unexpected(wrong.fault);
  }
}

} // namespace lanewise::programs
