# discover_suites(TARGET ROOM): a ctest test for each suite of the GoogleTest program TARGET, unit.ROOM.SUITE. A process for
# each case would spend more time on starting than most cases take.
#
# Run with cmake -P, this file asks PROGRAM for its suites, and writes their tests, of ROOM and with PROPERTIES, to OUTPUT.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(LANEWISE_SUITES_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

  function(discover_suites target room)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
    add_custom_command(
      TARGET ${target} POST_BUILD
      BYPRODUCTS ${output}
      COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${target}> -D ROOM=${room} -D OUTPUT=${output}
              -P ${LANEWISE_SUITES_SCRIPT}
      VERBATIM)
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${output})
  endfunction()
  return()
endif()

execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listing RESULT_VARIABLE status ERROR_VARIABLE errors)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} does not list its tests: ${errors}")
endif()
# What takes ten seconds and more starts before the rest, so that both cores are busy to the end; ctest knows no times in a new clone.
set(long_suites oracle.Chip/Differential tune.TuneOnBothChips sfpi.KernelTest sfpi.LimitsTest sfpi.ApiEpochs sfpi.SmallCases
                execution.GeneratedLoopOnLevels execution.GeneratedLoop)
# A suite stands at the beginning of its line and ends with a point; its cases are indented.
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+[.]" suites "${listing}")
set(tests)
foreach(suite ${suites})
  string(STRIP "${suite}" suite)
  string(REGEX REPLACE "[.]$" "" suite "${suite}")
  set(cost 0)
  list(FIND long_suites "${ROOM}.${suite}" place)
  if(NOT place EQUAL -1)
    set(cost 100)
  endif()
  string(APPEND tests "add_test([=[unit.${ROOM}.${suite}]=] [=[${PROGRAM}]=] [=[--gtest_filter=${suite}.*]=] --gtest_brief=1)\n"
                      "set_tests_properties([=[unit.${ROOM}.${suite}]=] PROPERTIES LABELS [=[unit;${ROOM}]=] TIMEOUT 600 COST ${cost})\n")
endforeach()
if(NOT tests)
  message(FATAL_ERROR "${PROGRAM} has no tests")
endif()
file(WRITE ${OUTPUT} "${tests}")
