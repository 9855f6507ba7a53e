# What the compiler made of the lane kernels of each level: vector code, and no symbol that levels share.
foreach(level baseline v3 v4)
  foreach(check kernel_symbols vectorised)
    add_test(NAME guard.${check}.${level}
             COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/check_${check}.sh ${level}
                     $<TARGET_OBJECTS:lanewise_machine_kernels_${level}>
             COMMAND_EXPAND_LISTS)
    set_tests_properties(guard.${check}.${level} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 60)
  endforeach()
  add_test(NAME guard.kernel_symbols.reference.${level}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/check_kernel_symbols.sh ${level}
                   $<TARGET_OBJECTS:lanewise_reference_kernels_${level}>
           COMMAND_EXPAND_LISTS)
  set_tests_properties(guard.kernel_symbols.reference.${level} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 60)
endforeach()
