# cmake --install: the program, the library, its headers, and find_package(lanewise).
include(CMakePackageConfigHelpers)

install(TARGETS lanewise EXPORT lanewise-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS lanewise_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS lanewise_http LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/lanewise)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lanewise COMPONENT headers
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN cli EXCLUDE PATTERN browser EXCLUDE PATTERN python EXCLUDE)
install(FILES ${LANEWISE_GENERATED}/chip/isa/mnemonics.inc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lanewise/chip/isa
        COMPONENT headers)
# What kernels include; source/sfpi/headers.cpp finds it beside the installed program, or in the Python package.
install(DIRECTORY src/source/sfpi/include DESTINATION ${CMAKE_INSTALL_DATADIR}/lanewise/sfpi COMPONENT headers)
# What host programs of tt-metal include.
install(DIRECTORY src/source/programs/include DESTINATION ${CMAKE_INSTALL_DATADIR}/lanewise/programs COMPONENT headers)
install(EXPORT lanewise-targets NAMESPACE lanewise:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lanewise)

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/lanewise-config.cmake.in
  ${PROJECT_BINARY_DIR}/lanewise-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lanewise)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lanewise-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lanewise-config.cmake
              ${PROJECT_BINARY_DIR}/lanewise-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lanewise)
