// TT_FATAL, TT_THROW, TT_ASSERT and the log_ macros: messages with file and line.
#pragma once

#include "types.hpp"

namespace lanewise_host {

template <class... Arguments>
[[noreturn]] void fatal(const char* file, int line, const char* condition, std::string_view text,
                        const Arguments&... arguments) {
  throw std::runtime_error(fmt::format("{}:{}: {}{}{}", file, line, condition, *condition != 0 ? ": " : "",
                                       fmt::format(fmt::runtime(text), arguments...)));
}
[[noreturn]] inline void fatal(const char* file, int line, const char* condition) {
  throw std::runtime_error(fmt::format("{}:{}: {} does not hold", file, line, condition));
}
} // namespace lanewise_host

#define TT_THROW(...) ::lanewise_host::fatal(__FILE__, __LINE__, "", __VA_ARGS__)
#define TT_FATAL(condition, ...)                                                                     \
  do {                                                                                               \
    if (!(condition)) ::lanewise_host::fatal(__FILE__, __LINE__, #condition __VA_OPT__(, ) __VA_ARGS__); \
  } while (false)
#define TT_ASSERT(condition, ...) TT_FATAL(condition __VA_OPT__(, ) __VA_ARGS__)

namespace tt {
enum LogType { LogTest, LogMetal, LogDevice, LogAlways, LogOp };
}
#define log_info(type, ...) (fmt::print(__VA_ARGS__), fmt::print("\n"))
#define log_warning(type, ...) (fmt::print(stderr, __VA_ARGS__), fmt::print(stderr, "\n"))
#define log_error(type, ...) (fmt::print(stderr, __VA_ARGS__), fmt::print(stderr, "\n"))
#define log_debug(type, ...) static_cast<void>(0)
#define log_trace(type, ...) static_cast<void>(0)
#define log_fatal(type, ...) (fmt::print(stderr, __VA_ARGS__), fmt::print(stderr, "\n"))
