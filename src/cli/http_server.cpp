#include "cli/http_server.h"

#include "base/shared_library.h"

namespace lanewise::cli {

std::unique_ptr<HttpServer> make_http_server(HttpLimits limits, HttpHandlers handlers) {
  decltype(&lanewise_http_server) make = nullptr;
  SharedLibrary({"liblanewise_http.so"}).find(make, "lanewise_http_server");
  return std::unique_ptr<HttpServer>(make(&limits, &handlers));
}

} // namespace lanewise::cli
