// What a core stores to the instruction FIFO, whose address comes from before a loop or from two paths.
typedef unsigned int word;

enum { SFPLOADI_L1 = 0x71100000, SFPNOP = (int)0x8F000000 };  // SFPLOADI L1, 0, 0

// The compiler does not see what is in the register, and so cannot load it again.
#define LOAD_FIFO(address) __asm__ volatile("lui %0, 0xffe40" : "=r"(address))
#define LOAD_FIFO_IN_STEPS(address) __asm__ volatile("lui %0, 0xffe3f\n add %0, %0, %1" : "=&r"(address) : "r"(0x1000))
#define LOAD_LOCAL_RAM(address) __asm__ volatile("lui %0, 0xffb00" : "=r"(address))

__attribute__((noinline)) void other(void) {
  __asm__ volatile("");
}

void before_loop(int count) {
  volatile word* fifo;
  LOAD_FIFO(fifo);
  for (int i = 0; i < count; ++i) *fifo = SFPLOADI_L1 + i;
}

void before_call(int count) {
  volatile word* fifo;
  LOAD_FIFO(fifo);
  for (int i = 0; i < count; ++i) {
    other();
    *fifo = SFPNOP;
  }
}

void paths_agree(int which, int count) {
  volatile word* fifo;
  if (which)
    LOAD_FIFO(fifo);
  else
    LOAD_FIFO_IN_STEPS(fifo);
  for (int i = 0; i < count; ++i) *fifo = SFPNOP;
}

void paths_disagree(int which, int count) {
  volatile word* place;
  if (which)
    LOAD_FIFO(place);
  else
    LOAD_LOCAL_RAM(place);
  for (int i = 0; i < count; ++i) *place = SFPNOP;
}

void before_switch(int which) {
  volatile word* fifo;
  LOAD_FIFO(fifo);
  switch (which) {
    case 0: *fifo = SFPLOADI_L1 + 10; break;
    case 1: fifo[1] = SFPLOADI_L1 + 21; break;
    case 2: *fifo = SFPLOADI_L1 + 32; break;
    case 3: fifo[2] = SFPLOADI_L1 + 43; break;
    case 4: other(); break;
    case 5: fifo[3] = SFPLOADI_L1 + 54; break;
    default: *fifo = SFPLOADI_L1 + 99; break;
  }
}
