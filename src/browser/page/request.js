// One request of the module, JSON as text. Both go through the module's memory, as its stack is small.
"use strict";

function ask_lanewise(module, request) {
  const bytes = module.lengthBytesUTF8(request) + 1;
  const place = module._malloc(bytes);
  module.stringToUTF8(request, place, bytes);
  const answer = module.UTF8ToString(module._lanewise_request(place));
  module._free(place);
  return answer;
}

if (typeof exports === "object") exports.ask_lanewise = ask_lanewise; // under Node
