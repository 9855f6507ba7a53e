// The grammars give samples the scopes that they should have.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "node:test";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const folder = new URL("..", import.meta.url);
await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const path = `syntaxes/${scope.replace("source.", "")}.tmLanguage.json`;
    return textmate.parseRawGrammar(readFileSync(new URL(path, folder), "utf8"), path);
  },
});

/** Each piece of a line that has a scope of its own, as "text=first part of its scope". */
async function scoped(language, lines) {
  const grammar = await registry.loadGrammar(`source.${language}`);
  let stack = textmate.INITIAL;
  const told = [];
  for (const line of lines) {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    for (const token of result.tokens) {
      const scope = token.scopes.at(-1);
      if (scope !== `source.${language}`) told.push(`${line.slice(token.startIndex, token.endIndex)}=${scope.split(".").slice(0, -1).join(".")}`);
    }
  }
  return told;
}

test("assembly of our own", async () => {
  assert.deepEqual(await scoped("lanewise", [".equ A 0x1F  # ü", "  SFPIADD A, L1, L2, Mod1=CC_NONE ; SFPNOP", "SFPLOADI L0, 0, bf16(1.5)"]), [
    ".equ=keyword.control.directive",
    "0x1F=constant.numeric",
    "# ü=comment.line.number-sign",
    "SFPIADD=support.function.mnemonic",
    "L1=variable.language.register",
    "L2=variable.language.register",
    "Mod1=variable.parameter.field",
    "CC_NONE=constant.other.mode",
    "; SFPNOP=comment.line.semicolon",
    "SFPLOADI=support.function.mnemonic",
    "L0=variable.language.register",
    "0=constant.numeric",
    "bf16=support.function.immediate",
    "1.5=constant.numeric",
  ]);
});

test("macros go on to their semicolon", async () => {
  assert.deepEqual(await scoped("lanewise", ["TTI_SFPIADD(1,", "  p_sfpu::LREG1, (2 | 4)); // x", "TTI_SFPNOP; SFPNOP"]), [
    "TTI_SFPIADD=entity.name.function.preprocessor",
    "1=constant.numeric",
    "p_sfpu::LREG1=variable.language.register",
    "2=constant.numeric",
    "4=constant.numeric",
    "// x=comment.line.double-slash",
    "TTI_SFPNOP=entity.name.function.preprocessor",
    "SFPNOP=constant.other.mode",
  ]);
});

test("the vendor's assembly", async () => {
  assert.deepEqual(await scoped("tensix-asm", ["f:\tsfpmad\tL0,L1,L2,L3,0 # c", "\tbnez\ta0,.L2", '\t.string "a\\"b"']), [
    "f=entity.name.label",
    "sfpmad=support.function.mnemonic",
    "L0=variable.language.register",
    "L1=variable.language.register",
    "L2=variable.language.register",
    "L3=variable.language.register",
    "0=constant.numeric",
    "# c=comment.line",
    "bnez=keyword.mnemonic.riscv",
    "a0=variable.language.register",
    ".L2=entity.name.label",
    ".string=keyword.control.directive",
    '"=string.quoted.double',
    "a=string.quoted.double",
    '\\"=string.quoted.double',
    "b=string.quoted.double",
    '"=string.quoted.double',
  ]);
});

test("objdump", async () => {
  assert.deepEqual(await scoped("tensix-asm", ["00000010 <f(int)>:", "  1c:\tc0330001\tsfpload\tL0,0,12,3"]), [
    "00000010 <f(int)>:=entity.name.function",
    "1c=constant.numeric.address",
    "c0330001=constant.numeric.bytes",
    "sfpload=support.function.mnemonic",
    "L0=variable.language.register",
    "0=constant.numeric",
    "12=constant.numeric",
    "3=constant.numeric",
  ]);
});
