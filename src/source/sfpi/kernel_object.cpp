#include "source/sfpi/kernel_object.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <utility>

#include "source/sfpi/library_calls.h"

namespace lanewise::sfpi {
namespace {

/// The part of the address space that an object covers.
struct Extent {
  std::uint64_t base = 0;
  std::uint64_t size = 0;
};

int measure(dl_phdr_info* info, std::size_t, void* data) {
  Extent& extent = *static_cast<Extent*>(data);
  if (info->dlpi_addr != extent.base) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    extent.size = std::max<std::uint64_t>(extent.size, header.p_vaddr + header.p_memsz);
  }
  return 1;
}

} // namespace

tl::expected<KernelObject, std::string> KernelObject::load(const std::filesystem::path& path) {
  offer_common_functions();
  KernelObject object;
  object.handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object.handle_ == nullptr) return tl::unexpected(std::string(::dlerror()));
  object.recorder_ =
      static_cast<lanewise_recorder**>(::dlsym(object.handle_, "lanewise_current_recorder"));
  object.entry_ = reinterpret_cast<void (*)()>(::dlsym(object.handle_, kEntryName));
  link_map* map = nullptr;
  const bool is_kernel = object.recorder_ != nullptr && object.entry_ != nullptr &&
                         ::dlinfo(object.handle_, RTLD_DI_LINKMAP, &map) == 0;
  if (!is_kernel) return tl::unexpected(std::string("this is no compiled kernel"));
  Extent extent{.base = map->l_addr};
  ::dl_iterate_phdr(measure, &extent);
  object.base_ = extent.base;
  object.size_ = extent.size;
  return object;
}

KernelObject::KernelObject(KernelObject&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)),
      recorder_(other.recorder_),
      entry_(other.entry_),
      base_(other.base_),
      size_(other.size_) {}

KernelObject::~KernelObject() {
  if (handle_ != nullptr) ::dlclose(handle_);
}

void KernelObject::run(Recorder& recorder) const {
  *recorder_ = recorder.abi();
  recorder.run(entry_);
}

void KernelObject::call(lanewise_recorder* recorder) const {
  *recorder_ = recorder;
  entry_();
}

void* KernelObject::find(const char* name) const {
  return ::dlsym(handle_, name);
}

std::size_t KernelObject::to_file_addresses(std::span<std::uint64_t> addresses) const {
  std::size_t count = 0;
  for (const std::uint64_t address : addresses) {
    if (contains(address)) addresses[count++] = address - base_;
  }
  return count;
}

} // namespace lanewise::sfpi
