#include "base/shared_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace lanewise {

SharedLibrary::SharedLibrary(std::string file)
    : file_(std::move(file)), handle_(::dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ != nullptr) return;
  const char* why = ::dlerror(); // NOLINT(concurrency-mt-unsafe): of this thread
  throw std::runtime_error(fmt::format("{} cannot be loaded: {}; install the package that has it",
                                       file_, why == nullptr ? "no reason is given" : why));
}

void* SharedLibrary::symbol(const char* name) const {
  void* found = ::dlsym(handle_, name);
  if (found != nullptr) return found;
  throw std::runtime_error(
      fmt::format("{} has no {}; install the version that Lanewise was built with", file_, name));
}

} // namespace lanewise
