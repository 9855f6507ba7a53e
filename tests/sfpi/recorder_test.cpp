// What the recorder accepts, what it rejects, and how assignments under a predicate are recorded.
#include "source/sfpi/recorder.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "sfpi/abi_kernel.h"

namespace lanewise::sfpi {
namespace {

using Kind = LanewiseKind;
using compiler::kNone;

constexpr std::uint8_t kStore = 0x72;
constexpr std::uint8_t kAndOpcode = 0x7E;
constexpr std::uint8_t kIntegerAdd = 0x79;
constexpr std::uint8_t kTranspose = 0x8C;
constexpr std::uint8_t kSetCc = 0x7B;
constexpr std::uint8_t kSwap = 0x92;
constexpr std::uint8_t kGreater = 0x97;

TEST(Recorder, NumbersNodesInOrderAndKeepsThem) {
  const RawRecording raw = record([](AbiKernel& k) {
    EXPECT_EQ(k.constant(5), 0U);
    EXPECT_EQ(k.add(Kind::ConstRegister, {}, 9), 1U);
    EXPECT_EQ(k.add(Kind::FloatAdd, {0, 1}), 2U);
  });
  ASSERT_FALSE(raw.failure);
  ASSERT_EQ(raw.recording.nodes.size(), 3U);
  EXPECT_EQ(raw.recording.nodes[0].imm, 5);
  EXPECT_EQ(raw.recording.nodes[2].operand[1], 1U);
  EXPECT_EQ(raw.recording.nodes[2].operand[2], kNone);
  EXPECT_EQ(raw.recording.name, "test");
}

TEST(Recorder, TellsTheKernelWhichChipAndVersionItRecords) {
  Recorder recorder(Arch::Wormhole, "test");
  EXPECT_EQ(recorder.abi()->arch, 1U);
  EXPECT_EQ(recorder.abi()->version, std::uint32_t{LANEWISE_RECORDER_VERSION});
}

TEST(Recorder, ContextsNestAndComeBack) {
  const RawRecording raw = record([](AbiKernel& k) {
    const std::uint32_t condition = k.less(k.constant(1), k.constant(2));
    EXPECT_EQ(k.context(), 0U);
    k.add(Kind::If, {condition});
    const std::uint32_t arm = k.context();
    EXPECT_NE(arm, 0U);
    k.add(Kind::Narrow, {condition});
    EXPECT_NE(k.context(), arm);
    k.add(Kind::Block);
    k.add(Kind::EndBlock);
    k.add(Kind::ElseIf, {condition});
    const std::uint32_t second = k.context();
    k.add(Kind::Else);
    EXPECT_NE(k.context(), second);
    k.add(Kind::EndIf, {}, 2);
    EXPECT_EQ(k.context(), 0U);
  });
  ASSERT_FALSE(raw.failure) << raw.failure->mistake.message;
  // If, Narrow, Block, ElseIf, Else: each opens one; the arms after the first lie in the outside.
  const auto& contexts = raw.recording.contexts;
  ASSERT_EQ(contexts.size(), 6U);
  EXPECT_EQ(contexts[1].parent, 0U);
  EXPECT_EQ(contexts[2].parent, 1U);
  EXPECT_EQ(contexts[3].parent, 2U);
  EXPECT_EQ(contexts[4].parent, 0U);
  EXPECT_EQ(contexts[5].parent, 0U);
  EXPECT_EQ(contexts[3].depth, 3U);
  EXPECT_EQ(contexts[5].depth, 1U);
}

TEST(Recorder, ANodeBelongsToTheContextThatItStartsIn) {
  const RawRecording raw = record([](AbiKernel& k) {
    k.add(Kind::If, {k.less(k.constant(1), k.constant(2))});
    k.constant(3);
    k.add(Kind::EndIf, {}, 1);
    k.constant(4);
  });
  const auto& nodes = raw.recording.nodes;
  ASSERT_EQ(nodes.size(), 7U);
  EXPECT_EQ(nodes[3].context, 0U); // If
  EXPECT_EQ(nodes[4].context, 1U);
  EXPECT_EQ(nodes[5].context, 1U); // EndIf
  EXPECT_EQ(nodes[6].context, 0U);
}

TEST(Assignment, IsANewNameWhereEveryLaneIsEnabled) {
  const RawRecording raw = record([](AbiKernel& k) {
    const std::uint32_t a = k.constant(1);
    const std::uint32_t b = k.constant(2);
    EXPECT_EQ(k.assign(a, b, 0), b);
    k.add(Kind::If, {k.less(a, b)});
    // Declared here: the lanes that are not enabled never had the variable.
    EXPECT_EQ(k.assign(a, b, k.context()), b);
    k.add(Kind::EndIf, {}, 1);
  });
  EXPECT_FALSE(raw.failure);
}

TEST(Assignment, KeepsTheOldLanesUnderANarrowerPredicate) {
  const RawRecording raw = record([](AbiKernel& k) {
    const std::uint32_t a = k.constant(1);
    const std::uint32_t b = k.constant(2);
    k.add(Kind::If, {k.less(a, b)});
    const std::uint32_t inside = k.context();
    const std::uint32_t merged = k.assign(a, b, 0);
    EXPECT_NE(merged, b);
    k.add(Kind::Narrow, {k.less(a, b)});
    EXPECT_NE(k.assign(a, b, inside), b);
    k.add(Kind::Else);
    // The variable comes from the other arm, whose lanes are not enabled here.
    EXPECT_NE(k.assign(a, b, inside), b);
    k.add(Kind::EndIf, {}, 1);
    EXPECT_EQ(k.assign(a, b, inside), b);
  });
  ASSERT_FALSE(raw.failure);
  EXPECT_EQ(raw.recording.nodes[4].kind, Kind::Assign);
  EXPECT_EQ(raw.recording.nodes[4].operand[0], 0U);
  EXPECT_EQ(raw.recording.nodes[4].operand[1], 1U);
}

TEST(Assignment, OfAVariableWithoutAValueKeepsNothing) {
  const RawRecording raw = record([](AbiKernel& k) {
    const std::uint32_t nothing = k.undefined();
    const std::uint32_t b = k.constant(2);
    k.add(Kind::If, {k.less(b, b)});
    const std::uint32_t a = k.constant(1);
    EXPECT_EQ(k.assign(nothing, a, 0), a);
    k.add(Kind::Else);
    EXPECT_NE(k.assign(a, b, 0), b); // v_if (c) { y = 1; } v_else { y = 2; }: both are kept
    k.add(Kind::EndIf, {}, 1);
  });
  EXPECT_FALSE(raw.failure);
}

/// vFloat y; v_if (c) { y = x; } v_endif: y has no value elsewhere, though x has.
TEST(Assignment, OfAWiderValueToAVariableWithoutAValueIsSeen) {
  const RawRecording raw = record([](AbiKernel& k) {
    const std::uint32_t nothing = k.undefined();
    const std::uint32_t x = k.constant(1);
    k.add(Kind::If, {k.less(x, x)});
    const std::uint32_t y = k.assign(nothing, x, 0);
    EXPECT_NE(y, x);
    k.add(Kind::If, {k.less(x, x)});
    // An Assign of this very context has lanes from elsewhere.
    const std::uint32_t both = k.assign(x, k.constant(2), 0);
    EXPECT_NE(k.assign(nothing, both, 0), both);
    k.add(Kind::EndIf, {}, 1);
    k.add(Kind::EndIf, {}, 1);
  });
  EXPECT_FALSE(raw.failure);
  EXPECT_EQ(raw.recording.nodes[4].kind, Kind::Assign);
  EXPECT_EQ(raw.recording.nodes[4].operand[0], 0U);
}

TEST(Rules, AddressesThatTheFieldCannotHold) {
  const auto store = [](std::int32_t address) {
    return [address](AbiKernel& k) {
      k.instruction(kStore, {kNone, kNone, kNone, k.constant(1)}, 0, address);
    };
  };
  EXPECT_EQ(mistake_of(store(8191)), "");
  EXPECT_EQ(mistake_of(store(-4096)), "");
  EXPECT_EQ(mistake_of(store(8192)),
            "dst_reg[4096] needs an address that does not fit into the 13 bits of SFPSTORE");
  EXPECT_EQ(mistake_of(store(-4098)),
            "dst_reg[-2049] needs an address that does not fit into the 13 bits of SFPSTORE");
}

TEST(Rules, AVariableMustHaveAValueBeforeItIsUsed) {
  const char* const message = "a variable is used before it has a value";
  EXPECT_EQ(mistake_of([](AbiKernel& k) {
              k.add(Kind::FloatAdd, {k.constant(1), k.undefined()});
            }),
            message);
  EXPECT_EQ(mistake_of([](AbiKernel& k) {
              k.instruction(kStore, {kNone, kNone, kNone, k.undefined()});
            }),
            message);
  EXPECT_EQ(mistake_of([](AbiKernel& k) { k.less(k.undefined(), k.constant(1)); }), message);
  EXPECT_EQ(mistake_of([](AbiKernel& k) { k.assign(k.constant(1), k.undefined(), 0); }), "");
}

TEST(Rules, OperandsAreEarlierNodesOfTheRightSort) {
  const auto rejects = [](const std::function<void(AbiKernel&)>& kernel, const char* fragment) {
    const std::string message = mistake_of(kernel);
    EXPECT_NE(message.find(fragment), std::string::npos) << fragment << ": " << message;
  };
  rejects([](AbiKernel& k) { k.add(Kind::FloatAdd, {0, 0}); }, "no operation of this kernel");
  rejects([](AbiKernel& k) { k.add(Kind::FloatAdd, {k.constant(1)}); }, "operand 1 is missing");
  rejects([](AbiKernel& k) { k.add(Kind::Constant, {k.constant(1)}); }, "one more than");
  rejects([](AbiKernel& k) { k.add(Kind::If, {k.constant(1)}); }, "must be a condition");
  rejects(
      [](AbiKernel& k) {
        k.add(Kind::FloatAdd, {k.constant(1), k.less(k.constant(1), k.constant(2))});
      },
      "must be a vector");
  rejects(
      [](AbiKernel& k) {
        k.add(Kind::FloatAdd,
              {k.constant(1), k.instruction(kStore, {kNone, kNone, kNone, k.constant(1)})});
      },
      "without a vector result");
  rejects([](AbiKernel& k) { k.add(static_cast<Kind>(200)); }, "no operation 200");
}

TEST(Rules, NumbersOfRegistersAreInRange) {
  EXPECT_EQ(mistake_of([](AbiKernel& k) { k.add(Kind::ReadLReg, {}, 7); }), "");
  EXPECT_EQ(mistake_of([](AbiKernel& k) { k.add(Kind::ReadLReg, {}, 8); }),
            "register L 8 is not in 0..7");
  EXPECT_EQ(mistake_of([](AbiKernel& k) { k.add(Kind::ConstRegister, {}, 7); }),
            "constant register L 7 is not in 8..15");
  EXPECT_EQ(mistake_of([](AbiKernel& k) { k.add(Kind::WriteConst, {k.constant(0)}, 15); }),
            "programmable constant L 15 is not in 11..14");
  EXPECT_NE(mistake_of([](AbiKernel& k) { k.add(Kind::WriteLReg, {k.constant(0)}, -1); }), "");
  EXPECT_NE(mistake_of([](AbiKernel& k) { k.add(Kind::Print, {k.constant(0)}, 0); }), "");
}

TEST(Rules, InstructionsMustExistOnTheChip) {
  const auto greater = [](AbiKernel& k) {
    k.instruction(kGreater, {kNone, kNone, k.constant(1), k.constant(2)}, 8);
  };
  EXPECT_EQ(mistake_of(greater, Arch::Blackhole), "");
  EXPECT_EQ(mistake_of(greater, Arch::Wormhole),
            "Wormhole has no SFPGT: it appeared with Blackhole");
  EXPECT_NE(mistake_of([](AbiKernel& k) { k.instruction(kSetCc, {}, 0); }), "");
}

TEST(Rules, InstructionsHaveTheOperandsThatTheirModeReads) {
  const auto add = [](std::initializer_list<std::uint32_t> operands, std::uint8_t mod) {
    return mistake_of([&](AbiKernel& k) {
      k.constant(1);
      k.constant(2);
      k.instruction(kIntegerAdd, operands, mod);
    });
  };
  EXPECT_EQ(add({kNone, kNone, 0}, 5), "");                     // VC + immediate
  EXPECT_EQ(add({kNone, kNone, 0}, 4), "operand 3 is missing"); // VC + VD
  EXPECT_EQ(add({kNone, kNone, 0, 1}, 4), "");
  EXPECT_EQ(mistake_of([](AbiKernel& k) { // Blackhole, VB instead of VD
              k.instruction(kAndOpcode, {kNone, k.constant(1), k.constant(2)}, 1);
            }),
            "");
}

TEST(Rules, ResultsAreThoseThatTheInstructionHas) {
  const auto result = [](std::int32_t number) {
    return mistake_of([&](AbiKernel& k) {
      const std::uint32_t a = k.constant(1);
      k.add(Kind::Result, {k.instruction(kSwap, {kNone, kNone, a, a})}, number);
    });
  };
  EXPECT_EQ(result(1), "");
  EXPECT_EQ(result(2), "result 2 is not in 0..1");
  EXPECT_NE(mistake_of([](AbiKernel& k) { k.add(Kind::Result, {k.constant(1)}); }), "");
  EXPECT_EQ(mistake_of([](AbiKernel& k) {
              const std::uint32_t a = k.constant(1);
              k.add(Kind::Result, {k.instruction(kTranspose, {a, a, a, a})}, 4);
            }),
            "result 4 of SFPTRANSP is lost, since it was not given");
}

TEST(Rules, PredicatesCloseInOrder) {
  const auto in_if = [](Kind kind, std::int32_t imm) {
    return mistake_of([&](AbiKernel& k) {
      k.add(Kind::If, {k.less(k.constant(1), k.constant(2))});
      k.add(kind, {}, imm);
    });
  };
  EXPECT_EQ(in_if(Kind::EndIf, 1), "");
  EXPECT_NE(in_if(Kind::EndIf, 2), "");
  EXPECT_NE(in_if(Kind::EndBlock, 0), "");
  EXPECT_EQ(in_if(Kind::Constant, 0), "the kernel ended inside a v_if");
  EXPECT_NE(mistake_of([](AbiKernel& k) { k.add(Kind::EndIf, {}, 1); }), "");
  EXPECT_NE(mistake_of([](AbiKernel& k) { k.add(Kind::Else); }), "");
  EXPECT_NE(mistake_of([](AbiKernel& k) {
              k.add(Kind::Block);
              k.add(Kind::Else);
            }),
            "");
  EXPECT_NE(mistake_of([](AbiKernel& k) {
              k.add(Kind::If, {k.less(k.constant(1), k.constant(2))});
              k.add(Kind::Else);
              k.add(Kind::Else);
            }),
            "");
  EXPECT_EQ(mistake_of([](AbiKernel& k) {
              const std::uint32_t condition = k.less(k.constant(1), k.constant(2));
              k.add(Kind::If, {condition});
              k.add(Kind::Else);
              k.add(Kind::ElseIf, {condition});
            }),
            "v_elseif after the v_else of its chain");
  EXPECT_EQ(mistake_of([](AbiKernel& k) { k.add(Kind::Block); }),
            "the kernel ended inside a v_block");
}

TEST(Recorder, TheKernelEndsAtItsFirstMistake) {
  bool went_on = false;
  const RawRecording raw = record([&](AbiKernel& k) {
    k.constant(1);
    k.add(Kind::FloatAdd, {9, 9});
    went_on = true;
  });
  EXPECT_FALSE(went_on);
  EXPECT_TRUE(raw.failure);
  EXPECT_EQ(raw.recording.nodes.size(), 1U);
}

TEST(Recorder, OutsideOfARunMistakesOnlyStopTheRecording) {
  Recorder recorder(Arch::Blackhole, "test");
  AbiKernel k(recorder.abi());
  EXPECT_EQ(k.add(Kind::FloatAdd, {9, 9}), kNone);
  EXPECT_EQ(k.constant(1), kNone);
  ASSERT_TRUE(recorder.failure());
  EXPECT_TRUE(recorder.take().recording.nodes.empty());
}

TEST(Recorder, AKernelCanGiveUp) {
  const RawRecording raw = record([](AbiKernel& k) { k.fail("no L1 here", "use Dst"); });
  ASSERT_TRUE(raw.failure);
  EXPECT_EQ(raw.failure->mistake, (Mistake{"no L1 here", "use Dst"}));
}

TEST(Recorder, ExceptionsEndTheKernel) {
  const std::string message = mistake_of([](AbiKernel&) { throw std::runtime_error("oops"); });
  EXPECT_NE(message.find("oops"), std::string::npos);
}

TEST(Recorder, TextsHaveOneNumberEach) {
  const RawRecording raw = record([](AbiKernel& k) {
    EXPECT_EQ(k.text("a"), 0U);
    EXPECT_EQ(k.text("b"), 1U);
    EXPECT_EQ(k.text("a"), 0U);
    k.add(Kind::Print, {k.constant(1)}, 1);
  });
  EXPECT_FALSE(raw.failure);
  EXPECT_EQ(raw.recording.texts, (std::vector<std::string>{"a", "b"}));
  const std::string long_text(kLongestText + 1, 'x');
  EXPECT_NE(mistake_of([&](AbiKernel& k) { k.text(long_text.c_str()); }), "");
}

TEST(Recorder, AnEndlessLoopEnds) {
  const RawRecording raw = record([](AbiKernel& k) {
    for (;;) k.constant(1);
  });
  ASSERT_TRUE(raw.failure);
  EXPECT_NE(raw.failure->mistake.remedy.find("loop"), std::string::npos);
  EXPECT_EQ(raw.recording.nodes.size(), kMostNodes);
}

} // namespace
} // namespace lanewise::sfpi
