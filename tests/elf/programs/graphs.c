// Shapes of control flow, for pictures of them.
typedef unsigned int word;

#define TTINSN(tensix) __asm__ volatile(".word %0" ::"i"((word)(tensix) << 2 | (word)(tensix) >> 30))

enum {
  SFPLOAD_L0 = 0x70000000,   // SFPLOAD L0, 0, 0, 0
  SFPLOADI_L1 = 0x71100000,  // SFPLOADI L1, 0, 0
  SFPNOP = (int)0x8F000000,
  SFPSTORE_L0 = 0x72000000,  // SFPSTORE L0, 0, 0, 0
};

void nested(int a, int b, int c) {
  for (int i = 0; i < a; ++i) {
    for (int j = 0; j < b; ++j) {
      TTINSN(SFPLOAD_L0);
      for (int k = 0; k < c; ++k) TTINSN(SFPNOP);
      if (j == 3) TTINSN(SFPSTORE_L0);
    }
    if (a == 9) break;
  }
}

// A cycle with two ways in.
void irreducible(int count, int inside) {
  if (inside) goto second;
first:
  TTINSN(SFPLOADI_L1);
  if (count == 7) return;
second:
  TTINSN(SFPNOP);
  if (--count) goto first;
}

// L0 is stored, and loaded on one path only.
void stores_what_may_be_missing(int loads) {
  if (loads) TTINSN(SFPLOAD_L0);
  TTINSN(SFPSTORE_L0);
}

// One block of many words.
#define TEN(tensix) TTINSN(tensix); TTINSN(tensix); TTINSN(tensix); TTINSN(tensix); TTINSN(tensix); \
  TTINSN(tensix); TTINSN(tensix); TTINSN(tensix); TTINSN(tensix); TTINSN(tensix)

void long_one(void) {
  TEN(SFPLOADI_L1); TEN(SFPNOP); TEN(SFPLOADI_L1); TEN(SFPNOP); TEN(SFPLOADI_L1);
  TEN(SFPNOP); TEN(SFPLOADI_L1); TEN(SFPNOP); TEN(SFPLOADI_L1); TEN(SFPNOP);
}
