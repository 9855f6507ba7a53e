// Calls that the compiler inlines, also into each other.
typedef unsigned int word;

static inline __attribute__((always_inline)) void push(word tensix) {
  *(volatile word*)0xFFE40000 = tensix;
}

static inline __attribute__((always_inline)) void push_twice(word tensix) {
  push(tensix);
  push(tensix + 1);
}

void direct(word tensix) {
  *(volatile word*)0xFFE40000 = tensix;
}

void once(word tensix) {
  push(tensix);
}

void nested(word tensix, int count) {
  for (int i = 0; i < count; ++i) {
    push_twice(tensix + 4 * i);
    push(tensix);
  }
}
