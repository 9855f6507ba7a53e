#include "run/section/shared_l1.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/file_descriptor.h"
#include "run/section/section.h"

namespace lanewise::section {
namespace {

std::string error_text() {
  return std::generic_category().message(errno);
}

void* host_address(std::uint64_t address) {
  return std::bit_cast<void*>(static_cast<std::uintptr_t>(address));
}

/// Takes a range of addresses that must be free.
bool take(std::uint64_t address, std::uint64_t bytes, int protection, int flags, int file,
          std::uint32_t offset) {
  void* const wanted = host_address(address);
  void* const got = ::mmap(wanted, bytes, protection, flags | MAP_FIXED_NOREPLACE, file, offset);
  if (got == wanted) return true;
  if (got != MAP_FAILED) ::munmap(got, bytes); // Linux before 4.17 takes the address as a hint
  return false;
}

} // namespace

Expected<SharedL1> SharedL1::make(std::uint32_t bytes) {
  auto memory = SharedMemory::make("lanewise-l1", bytes);
  if (!memory) return Unexpected(memory.error());
  return SharedL1(std::move(*memory));
}

Expected<SharedL1> SharedL1::open(const std::string& path, std::uint32_t bytes) {
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0)
    return bad_input(fmt::format("cannot open {}: {}", path, error_text()),
                     "give a file that can be read and written");
  if (!S_ISREG(status.st_mode) || status.st_size != static_cast<off_t>(bytes))
    return bad_input(fmt::format("{} is not as long as L1, which has {} bytes", path, bytes),
                     "make it as long; truncate --size does that");
  auto memory = SharedMemory::map(std::move(file), bytes);
  if (!memory) return Unexpected(memory.error());
  return SharedL1(std::move(*memory));
}

Expected<void> SharedL1::map_at_its_addresses(bool notices_accesses) const {
  const int access = notices_accesses ? PROT_NONE : PROT_READ | PROT_WRITE;
  const bool has_l1 =
      take(kFirstMapped, bytes().size() - kFirstMapped, access, MAP_SHARED, file(), kFirstMapped);
  const bool has_registers = take(kRegisters, kRegistersEnd - kRegisters, PROT_NONE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (has_l1 && has_registers) return {};
  return bad_input("the addresses of L1 or of a core's registers are taken in this process",
                   "run lanewise as a program of its own, without tools that map memory low");
}

} // namespace lanewise::section
