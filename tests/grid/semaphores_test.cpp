// Semaphores and multicasts as objects, between three cores.
#include <fstream>
#include <sstream>

#include "grid/audited.h"

namespace lanewise::grid {
namespace semaphores {

class SemaphoreObjects : public Audited, public ::testing::WithParamInterface<Arch> {
 protected:
  SemaphoreObjects() { arch = GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(OnBothChips, SemaphoreObjects, ::testing::ValuesIn(kArchs),
                         [](const auto& chip) {
                           return std::string(arch_params(chip.param).names.id);
                         });

// check_own_headers.sh runs the same kernel with the headers of a checkout.
TEST_P(SemaphoreObjects, TheyAreTheFunctions) {
  std::ifstream file(in_project("tests/programs/kernels/semaphore_objects.json"));
  std::stringstream text;
  text << file.rdbuf();
  parse(text.str());
  auto ready = prepare(program(), {});
  ASSERT_TRUE(ready.has_value()) << to_string(ready.error());
  prepared = std::move(*ready);
  for (const tile::ScheduleChoice& order : three_orders()) {
    EXPECT_EQ(run_with(0, order), "");
    ASSERT_TRUE(is_done);
    for (const unsigned page : {0U, 16U}) {
      EXPECT_EQ(words[page], 7U);
      EXPECT_EQ(words[page + 15], 7U + 40 + 41 + 100);
    }
  }
}

} // namespace semaphores
} // namespace lanewise::grid
