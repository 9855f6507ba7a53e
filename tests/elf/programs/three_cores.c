// One program for each of the three cores: a number goes from mailbox to mailbox, and into L1.
#define REGISTER(address) (*(volatile unsigned*)(address))

// Of the core that writes to them, or reads from them: 1 is T0, 2 is T1, 3 is T2.
#define MAILBOX(core) REGISTER(0xFFEC0000 + 0x1000 * (core))

__attribute__((section(".text.start"))) void _start(void) {
#if CORE == 0
  MAILBOX(2) = REGISTER(0x20000);
#elif CORE == 1
  MAILBOX(3) = MAILBOX(1) + 1;
#else
  REGISTER(0x20004) = MAILBOX(2);
#endif
  for (;;) {
  }
}
