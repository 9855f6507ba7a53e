// Instructions that C has no operator for: atomics and CSRs.
unsigned cell;

unsigned swap(unsigned a, unsigned b) {
  unsigned d;
  cell = a;
  __asm__ volatile("amoswap.w %0, %1, (%2)" : "=r"(d) : "r"(b), "r"(&cell) : "memory");
  return d ^ cell;
}

unsigned amax(unsigned a, unsigned b) {
  unsigned d;
  cell = a;
  __asm__ volatile("amomax.w %0, %1, (%2)" : "=r"(d) : "r"(b), "r"(&cell) : "memory");
  return cell;
}

unsigned bits(unsigned a, unsigned b) {
  unsigned d;
  __asm__ volatile(
      "csrw 0x7c3, %1\n csrs 0x7c3, %2\n csrrci %0, 0x7c3, 5\n csrr %0, 0x7c3"
      : "=&r"(d)
      : "r"(a), "r"(b));
  return d;
}
