# lanewise_embed(TARGET FILE HEADER FUNCTION) compiles a text file of the project into TARGET. FUNCTION, which HEADER
# declares as `std::string_view FUNCTION();`, returns its bytes; its namespace is that of the room in which HEADER lies. A changed file
# is embedded anew.
#
# Run with cmake -P, this file writes the source: FILE and HEADER relative to SOURCE_DIR, FUNCTION, and OUTPUT.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(LANEWISE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

  function(lanewise_embed target file header function)
    set(output ${PROJECT_BINARY_DIR}/embedded/${function}.cpp)
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -D SOURCE_DIR=${PROJECT_SOURCE_DIR}/src -D FILE=${file} -D HEADER=${header}
              -D FUNCTION=${function} -D OUTPUT=${output} -P ${LANEWISE_EMBED_SCRIPT}
      DEPENDS ${PROJECT_SOURCE_DIR}/src/${file} ${LANEWISE_EMBED_SCRIPT}
      COMMENT "Embedding ${file}"
      VERBATIM)
    target_sources(${target} PRIVATE ${output})
    set_property(SOURCE ${output} PROPERTY UNITY_GROUP embedded)
  endfunction()
  return()
endif()

# Every compiler takes a literal of this many bytes (C++20, annex B).
set(most_bytes 65536)
file(SIZE ${SOURCE_DIR}/${FILE} bytes)
file(READ ${SOURCE_DIR}/${FILE} text)
string(FIND "${text}" ")embedded\"" end_of_literal)
if(bytes GREATER most_bytes)
  message(FATAL_ERROR "${FILE} has ${bytes} bytes, and a string literal at most ${most_bytes}: make it two files")
elseif(NOT end_of_literal EQUAL -1)
  message(FATAL_ERROR "${FILE} contains )embedded\", which ends the string literal that it becomes")
endif()
string(REGEX MATCH "^[^/]+" room ${HEADER})
file(WRITE ${OUTPUT} "// ${FILE}, made by cmake/embed.cmake.
#include \"${HEADER}\"

namespace lanewise::${room} {

std::string_view ${FUNCTION}() {
  return R\"embedded(${text})embedded\";
}

} // namespace lanewise::${room}
")
