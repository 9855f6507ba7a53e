# Warnings and sanitizers, for this project's own targets only.
add_library(lanewise_warnings INTERFACE)
if(LANEWISE_WARNINGS)
  target_compile_options(lanewise_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                                     -Wno-sign-conversion)
else()
  target_compile_options(lanewise_warnings INTERFACE -w)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlaps in std::string that cannot be (GCC bug 105651), and std::optional used before it is set (80635).
  # clang++, its sanitizers and clang-tidy look for both.
  target_compile_options(lanewise_warnings INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND LANEWISE_UNITY)
  # It would see the names of other files of a unit; g++ warns of the shadows in one file.
  target_compile_options(lanewise_warnings INTERFACE -Wno-shadow)
endif()
if(LANEWISE_WERROR)
  target_compile_options(lanewise_warnings INTERFACE -Werror)
endif()

if(LANEWISE_SANITIZE)
  add_compile_options(-fsanitize=${LANEWISE_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${LANEWISE_SANITIZE})
endif()
