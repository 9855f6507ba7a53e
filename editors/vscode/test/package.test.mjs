// The manifest, the grammars and the server name the same things.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";

const folder = new URL("..", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));

test("grammars are there, under their scopes", () => {
  for (const grammar of manifest.contributes.grammars) {
    assert.ok(existsSync(new URL(grammar.path, folder)));
    assert.equal(JSON.parse(readFileSync(new URL(grammar.path, folder), "utf8")).scopeName, grammar.scopeName);
    assert.ok(manifest.contributes.languages.some((language) => language.id === grammar.language));
  }
});

test("settings are those of the server", () => {
  const source = readFileSync(new URL("../../src/editor/settings.cpp", folder), "utf8");
  const known = [...source.matchAll(/SettingPlace\{"(\w+)"/g)].map((match) => match[1]);
  const offered = Object.keys(manifest.contributes.configuration.properties["lanewise.settings"].properties);
  assert.deepEqual(offered.sort(), known.sort());
});

test("each command of the manifest is registered", () => {
  const source = readFileSync(new URL("src/extension.ts", folder), "utf8");
  for (const { command } of manifest.contributes.commands) assert.ok(source.includes(`"${command}"`), command);
});
