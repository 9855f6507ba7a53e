// Conformance vector files: whatever the text, reading and running it ends in cases or in one fault
// with its place, and a file gives what its text does.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "run/vectors/conformance.h"

namespace {

using namespace lanewise;

Expected<vectors::ConformanceResult> run(vectors::VectorReader reader) {
  auto result = vectors::run_conformance(
      reader, [](const vectors::VectorCase&, const vectors::Difference&) {},
      [](const vectors::ConformanceResult&) { return true; });
  if (result && result->cases == 0) std::abort();
  if (!result && (result.error().kind != FaultKind::BadInput || result.error().line == 0))
    std::abort();
  return result;
}

/// A file in memory.
class File {
 public:
  explicit File(std::string_view text) : descriptor_(memfd_create("fuzz", 0)) {
    if (descriptor_ < 0 || write(descriptor_, text.data(), text.size()) < 0) std::abort();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(descriptor_); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto from_text = run(vectors::VectorReader::from_text(text, "fuzz"));
  const File file(text);
  const auto from_file = run(vectors::VectorReader::open(file.path()).value());
  if (text.starts_with("\x1f\x8b")) return 0; // compressed, which only files may be
  if (from_text.has_value() != from_file.has_value()) std::abort();
  if (!from_text && (from_text.error().line != from_file.error().line ||
                     from_text.error().message != from_file.error().message))
    std::abort();
  return 0;
}
