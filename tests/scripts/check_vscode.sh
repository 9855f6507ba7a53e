#!/usr/bin/env bash
# check_vscode.sh SOURCE BUILD: the VS Code extension's types, its bundle, its grammars on samples, and that its manifest names what the
# server knows. Skipped (77) where there is no npm, or its registry cannot be reached. Packages are fetched once for each lock file.
set -euo pipefail
source=$1 work=$2/vscode
skip() { printf 'skipped: %s\n' "$*"; exit 77; }
command -v npm >/dev/null || skip "npm is not there (package npm)"
node -e 'process.exit(process.versions.node.split(".")[0] >= 18 ? 0 : 1)' || skip "node is older than 18"

extension=$work/editors/vscode
mkdir -p "$extension"
ln -sfn "$source/src" "$work/src"
for each in src syntaxes test; do rm -rf "${extension:?}/$each"; cp -r "$source/editors/vscode/$each" "$extension"; done
cp "$source"/editors/vscode/*.json "$extension"
cd "$extension"
if ! cmp -s package-lock.json node_modules/.lanewise-lock; then
  npm ping >/dev/null 2>&1 || skip "the registry of npm cannot be reached"
  npm ci --no-audit --no-fund
  cp package-lock.json node_modules/.lanewise-lock
fi
npm run --silent build
npm test --silent
