// A shared library that is loaded when something of it is first needed: to load those of a few
// commands costs more than all else that most commands do.
#pragma once

#include <string>
#include <vector>

namespace lanewise {

/// Stays loaded until the process ends. Throws std::runtime_error, which says what to install,
/// where none of its files or a function of it is not there.
class SharedLibrary {
 public:
  /// `files`: its sonames in the releases of a distribution, of which the system's loader finds
  /// one; the first is tried first. `package`: what has them, as in "install ...".
  explicit SharedLibrary(const std::vector<std::string>& files,
                         const std::string& package = "the package that has it");

  /// Sets `function`, a pointer to one, to that of this name.
  template <typename Function>
  void find(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;

  std::string file_;
  void* handle_ = nullptr;
};

} // namespace lanewise
