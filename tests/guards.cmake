# What the compiler made of the kernels of each level: no symbol that levels share, and of lane kernels vector code.
function(add_guard check room level)
  add_test(NAME guard.${check}.${room}.${level}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/check_${check}.sh ${level}
                   $<TARGET_OBJECTS:lanewise_${room}_kernels_${level}>
           COMMAND_EXPAND_LISTS)
  set_tests_properties(guard.${check}.${room}.${level} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 60)
endfunction()
foreach(level baseline v3 v4)
  foreach(folder ${LANEWISE_LEVEL_ROOMS})
    cmake_path(GET folder FILENAME room)
    add_guard(kernel_symbols ${room} ${level})
  endforeach()
  add_guard(vectorised machine ${level})
endforeach()
