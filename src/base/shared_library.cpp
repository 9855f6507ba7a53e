#include "base/shared_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>

namespace lanewise {

SharedLibrary::SharedLibrary(const std::vector<std::string>& files, const std::string& package) {
  std::string reason;
  for (const std::string& file : files) {
    file_ = file;
    handle_ = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
    const char* why = ::dlerror(); // NOLINT(concurrency-mt-unsafe): of this thread
    if (reason.empty()) reason = why == nullptr ? "no reason is given" : why;
  }
  throw std::runtime_error(
      fmt::format("{} cannot be loaded: {}; install {}", files.front(), reason, package));
}

void* SharedLibrary::symbol(const char* name) const {
  void* found = ::dlsym(handle_, name);
  if (found != nullptr) return found;
  throw std::runtime_error(
      fmt::format("{} has no {}; install the version that Lanewise was built with", file_, name));
}

} // namespace lanewise
