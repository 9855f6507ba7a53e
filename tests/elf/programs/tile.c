// Functions that go over a tile of 32 x 32, 32 elements at a time, as examples/abs.tt does; words of Blackhole.
typedef unsigned int word;

#define TTINSN(tensix) __asm__ volatile(".word %0" ::"i"((word)(tensix) << 2 | (word)(tensix) >> 30))

enum {
  LOAD = 0x70006000,       // SFPLOAD L0, SRCB, ADDR_MOD_3, 0
  ABSOLUTE = 0x7D000001,   // SFPABS L0, L0, FLOAT
  STORE = 0x72006000,      // SFPSTORE L0, SRCB, ADDR_MOD_3, 0
  STORE_L1 = 0x72106000,   // SFPSTORE L1, SRCB, ADDR_MOD_3, 0
  NEXT_ROWS = 0x38008000,  // INCRWC DstInc=2
};

void absolute(int rows) {
  for (int i = 0; i < rows; ++i) {
    TTINSN(LOAD);
    TTINSN(ABSOLUTE);
    TTINSN(STORE);
    TTINSN(NEXT_ROWS);
  }
}

void same(int rows) {
  for (int i = 0; i < rows; ++i) {
    TTINSN(LOAD);
    TTINSN(STORE);
    TTINSN(NEXT_ROWS);
  }
}

// L1 has never been written.
void stores_nothing(void) {
  TTINSN(STORE_L1);
}
