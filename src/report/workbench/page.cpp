#include "report/workbench/page.h"

#include "report/page/style.h"
#include "report/sweep/style.h"
#include "report/time/style.h"

namespace lanewise::report {

std::string workbench_style() {
  std::string style(page_style());
  style += time_style();
  style += sweep_page_style();
  return style += workbench_layout();
}

} // namespace lanewise::report
