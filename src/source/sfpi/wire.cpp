#include "source/sfpi/wire.h"

#include <cstring>
#include <type_traits>

namespace lanewise::sfpi {
namespace {

enum class Tag : std::uint32_t { Recording = 0x4345524C, Death = 0x4445414C, End = 0x444E454C };

class Writer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes(&value, sizeof value);
  }
  void put_text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    put_bytes(text.data(), text.size());
  }
  void put_stack(const CallStack& stack) {
    put(static_cast<std::uint32_t>(stack.size()));
    put_bytes(stack.data(), stack.size() * sizeof(stack[0]));
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void put_bytes(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  std::vector<std::byte> bytes_;
};

/// Gives zeros and fails for good once the bytes have run out or a number is too large.
class WireReader {
 public:
  explicit WireReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }
  bool at_end() const { return !failed_ && bytes_.empty(); }

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    if (const auto source = next(sizeof value); !source.empty()) {
      std::memcpy(&value, source.data(), sizeof value);
    }
    return value;
  }
  std::uint32_t get_count(std::size_t most) {
    const auto count = get<std::uint32_t>();
    if (count > most) failed_ = true;
    return failed_ ? 0 : count;
  }
  std::string get_text(std::size_t longest) {
    const auto source = next(get_count(longest));
    return {reinterpret_cast<const char*>(source.data()), source.size()};
  }
  CallStack get_stack() {
    CallStack stack(get_count(kDeepestStack));
    for (std::uint64_t& address : stack) address = get<std::uint64_t>();
    return stack;
  }

 private:
  std::span<const std::byte> next(std::size_t size) {
    if (size > bytes_.size()) failed_ = true;
    if (failed_) return {};
    const auto source = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return source;
  }
  std::span<const std::byte> bytes_;
  bool failed_ = false;
};

/// Exception texts are the kernel's, so of any length.
constexpr std::size_t kLongestMessage = 1 << 20;

std::string shortened(const std::string& text) {
  return text.substr(0, kLongestMessage);
}

/// Runs the nodes through the rules once more, which also gives the contexts.
bool decode_nodes(WireReader& reader, std::size_t stacks, RecordingBuilder& builder) {
  const std::uint32_t count = reader.get_count(kMostNodes);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto node = reader.get<lanewise_node>();
    const auto site = reader.get<std::uint32_t>();
    if (reader.failed() || site >= stacks || !builder.append(node, site)) return false;
  }
  return true;
}

std::optional<Message> decode_recording(WireReader& reader, Arch arch, const std::string& name) {
  RecordingBuilder builder(arch, name);
  RawRecording raw;
  for (std::uint32_t left = reader.get_count(kMostTexts); left != 0; --left) {
    if (!builder.text(reader.get_text(kLongestText))) return std::nullopt;
  }
  raw.stacks.clear();
  for (std::uint32_t left = reader.get_count(kMostNodes + 1); left != 0 && !reader.failed();
       --left) {
    raw.stacks.push_back(reader.get_stack());
  }
  if (!decode_nodes(reader, raw.stacks.size(), builder)) return std::nullopt;
  if (reader.get<std::uint32_t>() != 0) {
    Failure failure;
    failure.mistake.message = reader.get_text(kLongestMessage);
    failure.mistake.remedy = reader.get_text(kLongestMessage);
    failure.stack = reader.get<std::uint32_t>();
    if (failure.stack >= raw.stacks.size()) return std::nullopt;
    raw.failure = std::move(failure);
  } else if (!builder.finish()) {
    return std::nullopt;
  }
  if (reader.get<Tag>() != Tag::End || !reader.at_end()) return std::nullopt;
  raw.recording = builder.take();
  return raw;
}

std::optional<Message> decode_death(WireReader& reader) {
  Death death;
  death.signal = reader.get<std::int32_t>();
  death.at_fault = reader.get<std::uint32_t>() != 0;
  death.stack = reader.get_stack();
  if (reader.failed()) return std::nullopt;
  return death;
}

} // namespace

std::vector<std::byte> encode(const RawRecording& raw) {
  const compiler::Recording& recording = raw.recording;
  Writer writer;
  writer.put(Tag::Recording);
  writer.put(static_cast<std::uint32_t>(recording.texts.size()));
  for (const std::string& text : recording.texts) writer.put_text(text);
  writer.put(static_cast<std::uint32_t>(raw.stacks.size()));
  for (const CallStack& stack : raw.stacks) writer.put_stack(stack);
  writer.put(static_cast<std::uint32_t>(recording.nodes.size()));
  for (const compiler::Node& node : recording.nodes) {
    writer.put(static_cast<const lanewise_node&>(node));
    writer.put(node.site);
  }
  writer.put(static_cast<std::uint32_t>(raw.failure.has_value()));
  if (raw.failure) {
    writer.put_text(shortened(raw.failure->mistake.message));
    writer.put_text(shortened(raw.failure->mistake.remedy));
    writer.put(raw.failure->stack);
  }
  writer.put(Tag::End);
  return writer.take();
}

std::span<const std::byte> encode_death(int signal, bool at_fault,
                                        std::span<const std::uint64_t> stack,
                                        std::span<std::byte, kLongestDeath> buffer) {
  stack = stack.first(std::min(stack.size(), kDeepestStack));
  std::size_t size = 0;
  const auto put = [&](const void* data, std::size_t bytes) {
    std::memcpy(buffer.data() + size, data, bytes);
    size += bytes;
  };
  const Tag tag = Tag::Death;
  const std::int32_t number = signal;
  const std::uint32_t flag = at_fault ? 1 : 0;
  const auto count = static_cast<std::uint32_t>(stack.size());
  put(&tag, sizeof tag);
  put(&number, sizeof number);
  put(&flag, sizeof flag);
  put(&count, sizeof count);
  put(stack.data(), stack.size_bytes());
  return buffer.first(size);
}

std::optional<Message> decode(std::span<const std::byte> bytes, Arch arch,
                              const std::string& name) {
  WireReader reader(bytes);
  switch (reader.get<Tag>()) {
    case Tag::Recording: return decode_recording(reader, arch, name);
    case Tag::Death: return decode_death(reader);
    default: return std::nullopt;
  }
}

} // namespace lanewise::sfpi
