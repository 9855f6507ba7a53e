// A core's side of its post (post.h), in the process of its kernels.
#pragma once

#include <functional>

#include "run/grid/post.h"
#include "run/launch/program_run.h"

namespace lanewise::grid {

class Outpost final : public launch::Beyond {
 public:
  explicit Outpost(Post& post) : post_(post) {}

  bool exchange(noc::Noc& noc, bool is_busy,
                const std::function<void(const launch::L1Range&)>& arrived) override;
  void tell(std::span<const launch::Note> notes) override;
  void end() override;

 private:
  bool wait() const;

  Post& post_;
};

} // namespace lanewise::grid
