// Paths on which something is missing: a value, and a pop of the predicate stack.
typedef unsigned int word;

#define TTINSN(tensix) __asm__ volatile(".word %0" ::"i"((word)(tensix) << 2 | (word)(tensix) >> 30))

enum {
  SFPLOAD_L0 = 0x70000000,   // SFPLOAD L0, 0, 0, 0
  SFPSTORE_L0 = 0x72000000,  // SFPSTORE L0, 0, 0, 0
  SFPPUSHC = (int)0x87000000,
  SFPPOPC = (int)0x88000000,
};

void store_rows(int has_value, int count) {
  if (has_value) TTINSN(SFPLOAD_L0);
  for (int i = 0; i < count; ++i) {
    TTINSN(SFPPUSHC);
    TTINSN(SFPSTORE_L0);
    if (i != 3) TTINSN(SFPPOPC);
  }
}
