# cmake -P: makes the folder SITE of the page: the workbench of SOURCE_DIR/src, whose code 'lanewise serve' has, too, with the module of
# MODULE_DIR behind it, CodeMirror of EDITOR_DIR, and the examples.
set(page ${SOURCE_DIR}/src/browser/page)
set(workbench ${SOURCE_DIR}/src/report/workbench)
file(REMOVE_RECURSE ${SITE})
file(MAKE_DIRECTORY ${SITE})

# Scripts and styles come from the folder only, and nothing of the page goes anywhere else.
set(policy "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'")
string(APPEND policy "; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'")
file(READ ${workbench}/frame.html frame)
string(REPLACE "<title>" "<meta http-equiv=\"Content-Security-Policy\" content=\"${policy}\"/>\n<title>" frame "${frame}")
string(REPLACE "<script src=\"workbench.js\"></script>"
  "<script src=\"backend.js\"></script>\n<script src=\"workbench.js\"></script>\n<script src=\"extras.js\"></script>" frame "${frame}")
file(WRITE ${SITE}/index.html "${frame}")

set(style)
foreach(file report/page/style.css report/time/style.css report/sweep/colours.css report/sweep/pictures.css report/sweep/style.css
             report/workbench/layout.css browser/page/tools.css)
  file(READ ${SOURCE_DIR}/src/${file} text)
  string(APPEND style "${text}\n")
endforeach()
file(WRITE ${SITE}/workbench.css "${style}")

configure_file(${workbench}/script.js ${SITE}/workbench.js COPYONLY)
configure_file(${SOURCE_DIR}/src/report/time/script.js ${SITE}/time.js COPYONLY)
foreach(file backend.js extras.js request.js worker.js)
  configure_file(${page}/${file} ${SITE}/${file} COPYONLY)
endforeach()
foreach(file lanewise.js lanewise.wasm)
  configure_file(${MODULE_DIR}/${file} ${SITE}/${file} COPYONLY)
endforeach()
foreach(file lib/codemirror.js lib/codemirror.css mode/clike/clike.js addon/edit/matchbrackets.js)
  configure_file(${EDITOR_DIR}/${file} ${SITE}/editor/${file} COPYONLY)
endforeach()

# The examples, each with its picture; those in C++ if there is a RECORDER.
execute_process(COMMAND node ${SOURCE_DIR}/src/browser/gallery.js ${SITE} ${SOURCE_DIR}/examples ${RECORDER} COMMAND_ERROR_IS_FATAL ANY)
