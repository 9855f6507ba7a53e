// The example of docs/ordering.md: a short branch that depends on a load, and loops that poll.
typedef unsigned int word;

#define SEMAPHORE (*(volatile word*)0xFFE80020)
#define PUSH(tensix) __asm__ volatile(".word %0" ::"i"((word)(tensix) << 2 | (word)(tensix) >> 30))

enum { SFPNOP = (int)0x8F000000 };

void watch(volatile word* flag, volatile word* out, word tally) {
  word found = 3;
  if (*flag) __asm__("li %0, 2" : "=r"(found));
  out[0] = found;
  out[1] = tally;
}

void wait_and_push(void) {
  while (SEMAPHORE == 0) {
  }
  PUSH(SFPNOP);
}

void wait_and_watch(volatile word* flag, volatile word* out, word tally) {
  word found = 3;
  word seen;
  while ((seen = *flag) == 0) {
  }
  if (seen > 1) __asm__("li %0, 2" : "=r"(found));
  out[0] = found;
  out[1] = tally;
}
