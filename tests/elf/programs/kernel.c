// A kernel as a core of the tile runs it: Tensix instructions in the code, and words stored to the instruction FIFO.
typedef unsigned int word;

#define TTINSN(tensix) __asm__ volatile(".word %0" ::"i"((word)(tensix) << 2 | (word)(tensix) >> 30))
#define REGISTER(address) (*(volatile word*)(address))

enum {
  SFPLOAD_L0 = 0x70000000,   // SFPLOAD L0, 0, 0, 0
  SFPLOADI_L1 = 0x71100000,  // SFPLOADI L1, 0, 0
  SFPNOP = (int)0x8F000000,
  SFPSTORE_L0 = 0x72000000,  // SFPSTORE L0, 0, 0, 0
};

static inline void push(word tensix) {
  REGISTER(0xFFE40000) = tensix;
}

void straight(void) {
  TTINSN(SFPLOAD_L0);
  push(SFPLOADI_L1 | 7);
  TTINSN(SFPSTORE_L0);
}

void loop(int count) {
  for (int i = 0; i < count; ++i) {
    TTINSN(SFPLOAD_L0);
    push(SFPLOADI_L1 + i);
  }
}

__attribute__((noinline)) static void twice(word tensix) {
  push(tensix);
  push(tensix);
}

void calls(int first, int second) {
  twice(SFPLOADI_L1 + first);
  twice(SFPLOADI_L1 + second);
}

void table(int which) {
  switch (which) {
    case 0: push(SFPLOADI_L1 + 10); break;
    case 1: TTINSN(SFPNOP); break;
    case 2: twice(SFPLOADI_L1 + 30); break;
    case 3: TTINSN(SFPLOAD_L0); break;
    case 4: loop(2); break;
    case 5: calls(1, 2); break;
    case 6: TTINSN(SFPSTORE_L0); break;
    default: push(SFPLOADI_L1 + 99); break;
  }
}

word counted = 5;
const word squares[4] = {0, 1, 4, 9};

word memory(int index) {
  volatile word local[4];
  for (int i = 0; i < 4; ++i) local[i] = squares[i] + counted;
  counted += 1;
  return local[index] + counted;
}

void configures(void) {
  REGISTER(0xFFEF0000 + 4 * 1) = 1u << 29;  // ALU_ACC_CTRL_Fp32_enabled
  REGISTER(0xFFEF0000 + 4 * 160) = 3;       // no field is known there
  TTINSN(SFPNOP);
}

void configures_late(void) {
  TTINSN(SFPNOP);
  REGISTER(0xFFEF0000 + 4 * 1) = 1u << 29;
}

void expands(void) {
  TTINSN(SFPNOP);
  REGISTER(0xFFB80000 + 4 * 2) = SFPNOP;
  TTINSN(0x01000000);  // MOP
}

word waits_for_mailbox(void) {
  return REGISTER(0xFFEC0000);
}

void never_ends(void) {
  for (;;) TTINSN(SFPNOP);
}

void spins(void) {
  for (;;) __asm__ volatile("");
}

void breaks(void) {
  __asm__ volatile("ebreak");
}

word reads_hart(void) {
  word value;
  __asm__ volatile("csrr %0, mhartid" : "=r"(value));
  return value;
}

word reads_cycle(void) {
  word value;
  __asm__ volatile("csrr %0, mcycle" : "=r"(value));
  return value;
}
