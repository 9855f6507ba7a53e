# The Python module (python/): _lanewise, with the package beside it in <build>/python/lanewise, so that PYTHONPATH may
# name <build>/python. The package's own files are links to the source tree.
#
# LANEWISE_PYTHON: ON builds it with everything else, OFF never; AUTO, for builds with tests, where pybind11 is there.
set(LANEWISE_PYTHON AUTO CACHE STRING "Build the Python module: ON, OFF or AUTO")
if(NOT LANEWISE_PYTHON OR LANEWISE_SANITIZE OR (LANEWISE_PYTHON STREQUAL "AUTO" AND NOT LANEWISE_TESTS))
  return()
endif()

# Debian's packages are those of Debian's Python.
if(NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
set(PYBIND11_FINDPYTHON ON)
if(LANEWISE_PYTHON STREQUAL "AUTO")
  find_package(Python 3.9 COMPONENTS Interpreter Development.Module QUIET)
  find_package(pybind11 CONFIG QUIET)
else()
  find_package(Python 3.9 COMPONENTS Interpreter Development.Module REQUIRED)
  find_package(pybind11 CONFIG REQUIRED)
endif()
if(NOT pybind11_FOUND)
  message(STATUS "Without pybind11 (Debian: pybind11-dev python3-dev) there is no Python module")
  return()
endif()

set(LANEWISE_PYTHON_PATH ${PROJECT_BINARY_DIR}/python)
set(LANEWISE_PYTHON_MODULE_FOLDER ${LANEWISE_PYTHON_PATH}/lanewise CACHE PATH "Where the Python module goes (setup.py)")
file(GLOB python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/python/*.cpp)
# Not optimised: it only hands arrays and options over.
pybind11_add_module(lanewise_python MODULE NO_EXTRAS ${python_sources} $<TARGET_OBJECTS:lanewise_identity>)
set_target_properties(lanewise_python PROPERTIES OUTPUT_NAME _lanewise CXX_VISIBILITY_PRESET hidden
                                                 LIBRARY_OUTPUT_DIRECTORY ${LANEWISE_PYTHON_MODULE_FOLDER})
target_compile_options(lanewise_python PRIVATE -O1)
target_link_libraries(lanewise_python PRIVATE lanewise lanewise_warnings)
target_link_options(lanewise_python PRIVATE LINKER:--exclude-libs,ALL LINKER:--disable-new-dtags)
# The libraries that an installed program brings along: in a wheel they lie in the package, in a prefix beside the program.
set_target_properties(lanewise_python PROPERTIES BUILD_WITH_INSTALL_RPATH ON
  INSTALL_RPATH "\$ORIGIN/lib/lanewise:\$ORIGIN/../../../../${CMAKE_INSTALL_LIBDIR}/lanewise")

file(GLOB package_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/python/lanewise/*)
list(FILTER package_files EXCLUDE REGEX "__pycache__")
file(MAKE_DIRECTORY ${LANEWISE_PYTHON_PATH}/lanewise)
foreach(file ${package_files})
  cmake_path(GET file FILENAME name)
  file(CREATE_LINK ${file} ${LANEWISE_PYTHON_PATH}/lanewise/${name} SYMBOLIC)
endforeach()
