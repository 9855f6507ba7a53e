# Names the code that computes, for results that are kept between runs (src/base/remembered.h): a digest of the library's archive, so
# that a program whose library differs by a bit takes nothing that another one has kept, whatever its version says. Included, this adds
# the object library lanewise_identity, for the programs that remember. As a script it writes the source of that library:
# cmake -DARCHIVE=FILE -DSOURCE=FILE -P remembered.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.22)
  file(SHA256 ${ARCHIVE} digest)
  file(CONFIGURE OUTPUT ${SOURCE} CONTENT "// Written by cmake/remembered.cmake.
#include \"base/remembered.h\"

namespace {

[[maybe_unused]] const bool is_identified = lanewise::identify_program(\"@digest@\");

} // namespace
" @ONLY)
  return()
endif()

set(identity ${LANEWISE_GENERATED}/program_identity.cpp)
add_custom_command(OUTPUT ${identity} DEPENDS lanewise ${CMAKE_CURRENT_LIST_FILE} VERBATIM
                   COMMAND ${CMAKE_COMMAND} -DARCHIVE=$<TARGET_FILE:lanewise> -DSOURCE=${identity} -P ${CMAKE_CURRENT_LIST_FILE})
add_library(lanewise_identity OBJECT ${identity})
set_target_properties(lanewise_identity PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(lanewise_identity PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(lanewise_identity PRIVATE -O0)
