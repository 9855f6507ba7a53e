#include "chip/clock/turn_order.h"

namespace lanewise::clock {

News news_for(tile::WaitCause cause, unsigned number) {
  using enum tile::WaitCause;
  switch (cause) {
    case Input: return acted_by(kThreads + number);
    case ThreadIdle:
    case FullQueue: return acted_by(number);
    case SrcAToFill:
    case SrcBToFill:
    case SrcAFilled:
    case SrcBFilled: return kBanks;
    case SemaphoreZero:
    case SemaphoreAtMax: return kSemaphores;
    case None:
    case Mutex:
    case Memory:
    case Stream:
    case EmptyMailbox:
    case FullMailbox: break;
  }
  return kAnything;
}

} // namespace lanewise::clock
