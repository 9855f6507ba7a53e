#include "report/grid/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "chip/isa/noc_record.h"
#include "chip/noc/routes.h"
#include "report/grid/links.h"
#include "report/page/page.h"

namespace lanewise::report {

namespace {

constexpr double kCell = 62, kBox = 40, kMargin = 34; ///< pixels: of a router, of its core, around

double middle(unsigned at) {
  return kMargin + kCell * (at + 0.5);
}

/// A share of what can be, as one of so many steps of colour.
unsigned step_of(double share) {
  constexpr unsigned kSteps = 10;
  return static_cast<unsigned>(std::ceil(std::clamp(share, 0.0, 1.0) * kSteps));
}

std::string core_svg(const GridTime& time, const GridCore& core, NocPlace router) {
  const clock::TimedResult& run = core.time.tile.run;
  const clock::Bound bound = bound_of(core);
  const double share = bound.cycles / static_cast<double>(time.cycles());
  const std::string name = core_text(core.core);
  const double left = middle(router.x) - kBox / 2, top = middle(router.y) - kBox / 2;
  return fmt::format(
      "<g><title>{}</title><rect class=\"core load{}\" x=\"{}\" y=\"{}\" width=\"{}\" "
      "height=\"{}\" rx=\"4\"/><text x=\"{}\" y=\"{}\">{},{}</text></g>\n",
      escaped(fmt::format("core {}: {} cycles; needs most: {}, alone {:.0f} cycles", name,
                          run.cycles, bound.part, bound.cycles)),
      step_of(share), left, top, kBox, kBox, middle(router.x), middle(router.y) + 4, core.core.x,
      core.core.y);
}

/// From one box to the next; one around the torus goes to the border.
std::string link_svg(const LinkLoad& link) {
  // NoC 0 above and left of the middle, NoC 1 on the other side.
  const double aside = link.noc == 0 ? -8 : 8;
  const bool is_row = link.begin.y == link.end.y;
  const int forward = link.noc == 0 ? 1 : -1;
  const double x = middle(link.begin.x), y = middle(link.begin.y);
  const double from = kBox / 2 * forward, length = (kCell - kBox) * forward;
  const std::string line = is_row
                               ? fmt::format("M{:.0f} {:.0f}h{:.0f}", x + from, y + aside, length)
                               : fmt::format("M{:.0f} {:.0f}v{:.0f}", x + aside, y + from, length);
  return fmt::format("<path class=\"link load{}\" d=\"{}\"><title>{}</title></path>\n",
                     step_of(link.share), line, escaped(link_text(link)));
}

} // namespace

std::string grid_svg(const GridTime& time) {
  const Arch arch = time.cores.front().time.tile.arch;
  const NocRecord& record = *noc_record(arch);
  std::string drawn;
  for (unsigned y = 0; y < record.grid.y; ++y)
    for (unsigned x = 0; x < record.grid.x; ++x)
      drawn += fmt::format("<rect class=\"router\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                           middle(x) - kBox / 2, middle(y) - kBox / 2, kBox, kBox);
  for (const LinkLoad& link : link_loads(time)) drawn += link_svg(link);
  std::map<std::pair<unsigned, unsigned>, std::string> banks; // by place of their ports
  for (unsigned bank = 0; bank < time.bank_busy.size(); ++bank) {
    if (time.bank_busy[bank] == 0) continue;
    for (unsigned noc = 0; noc < kNocs; ++noc) {
      const NocPlace place = noc::bank_router(arch, noc, bank);
      std::string& text = banks[{place.x, place.y}];
      const std::string name = fmt::format("bank {}: busy for {:.0f} of {} cycles", bank,
                                           time.bank_busy[bank], time.cycles());
      if (text.find(name) == std::string::npos) text += (text.empty() ? "" : "; ") + name;
    }
  }
  for (const auto& [place, text] : banks)
    drawn += fmt::format(
        "<g><title>{}</title><circle class=\"bank\" cx=\"{}\" cy=\"{}\" r=\"{}\"/><text x=\"{}\" "
        "y=\"{}\">DRAM</text></g>\n",
        escaped(text), middle(place.first), middle(place.second), kBox / 2, middle(place.first),
        middle(place.second) + 4);
  for (const GridCore& core : time.cores)
    drawn += core_svg(time, core, noc::worker_router(arch, core.core.x, core.core.y));
  return fmt::format(
      "<div class=\"rows grid\" tabindex=\"0\" role=\"region\" aria-label=\"The grid\"><svg "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"The grid\">{2}</svg></div>\n"
      "<p>Cores, and links of the two NoCs between routers (NoC 0 to the right and down, NoC 1 to "
      "the left and up): the darker, the more of the run what they need most, or what they carry, "
      "takes. Point at one to see its figures.</p>\n",
      2 * kMargin + kCell * record.grid.x, 2 * kMargin + kCell * record.grid.y, drawn);
}

} // namespace lanewise::report
