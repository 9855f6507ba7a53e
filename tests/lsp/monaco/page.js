// Monaco, whose providers hand each question to 'lanewise lsp' as it is, and take its answers.
require.config({ paths: { vs: "/vs" } });

let busy = 0;
async function send(kind, method, params) {
  document.body.dataset.busy = ++busy;
  try {
    const answer = await fetch(`/${kind}`, { method: "POST", body: JSON.stringify({ method, params }) });
    return await answer.json();
  } finally {
    document.body.dataset.busy = --busy;
  }
}
const ask = (method, params) => send("ask", `textDocument/${method}`, params);

require(["vs/editor/editor.main"], async () => {
  const language = "lanewise";
  const uri = monaco.Uri.parse("file:///kernels/row.tt");
  const textDocument = { uri: uri.toString() };
  const start = await (await fetch("/start")).json();
  const legend = start.capabilities.semanticTokensProvider.legend;

  const position = (at) => ({ line: at.lineNumber - 1, character: at.column - 1 });
  const rangeOf = (range) => ({ start: position(range.getStartPosition()), end: position(range.getEndPosition()) });
  const monacoRange = ({ start: from, end: to }) => new monaco.Range(from.line + 1, from.character + 1, to.line + 1, to.character + 1);
  const severities = [undefined, monaco.MarkerSeverity.Error, monaco.MarkerSeverity.Warning, monaco.MarkerSeverity.Info];

  monaco.languages.register({ id: language });
  const register = (what, provider) => monaco.languages[`register${what}Provider`](language, provider);
  register("Hover", {
    async provideHover(_, at) {
      const hover = await ask("hover", { textDocument, position: position(at) });
      return hover && { contents: [hover.contents], range: monacoRange(hover.range) };
    },
  });
  register("CompletionItem", {
    triggerCharacters: start.capabilities.completionProvider.triggerCharacters,
    async provideCompletionItems(_, at) {
      const items = await ask("completion", { textDocument, position: position(at) });
      const kind = monaco.languages.CompletionItemKind.Function;
      return { suggestions: items.map((item) => ({ ...item, kind, insertText: item.textEdit.newText, range: monacoRange(item.textEdit.range) })) };
    },
  });
  register("InlayHints", {
    async provideInlayHints(_, range) {
      const hints = await ask("inlayHint", { textDocument, range: rangeOf(range) });
      const at = (hint) => ({ lineNumber: hint.position.line + 1, column: hint.position.character + 1 });
      return { hints: hints.map((hint) => ({ ...hint, position: at(hint) })), dispose() {} };
    },
  });
  register("CodeLens", {
    async provideCodeLenses() {
      const lenses = await ask("codeLens", { textDocument });
      const command = (lens) => ({ id: lens.command.command, title: lens.command.title, arguments: lens.command.arguments });
      return { lenses: lenses.map((lens) => ({ range: monacoRange(lens.range), command: command(lens) })), dispose() {} };
    },
  });
  register("Definition", {
    async provideDefinition(_, at) {
      const places = await ask("definition", { textDocument, position: position(at) });
      return places.map((place) => ({ uri, range: monacoRange(place.range) }));
    },
  });
  register("CodeAction", {
    async provideCodeActions(_, range) {
      const actions = await ask("codeAction", { textDocument, range: rangeOf(range), context: { diagnostics: [] } });
      const edits = (action) => action.edit.changes[textDocument.uri];
      const workspaceEdit = (edit) => ({ resource: uri, versionId: undefined, textEdit: { range: monacoRange(edit.range), text: edit.newText } });
      return { actions: actions.map((action) => ({ ...action, diagnostics: [], edit: { edits: edits(action).map(workspaceEdit) } })), dispose() {} };
    },
  });
  monaco.languages.registerDocumentSemanticTokensProvider(language, {
    getLegend: () => legend,
    provideDocumentSemanticTokens: async () => ({ data: new Uint32Array((await ask("semanticTokens/full", { textDocument })).data) }),
    releaseDocumentSemanticTokens() {},
  });

  const model = monaco.editor.createModel(start.text, language, uri);
  let version = 1;
  async function showProblems() {
    const told = await send("problems", "", { ...textDocument, version });
    if (told.version !== version) return;
    const marker = (each) => {
      const range = monacoRange(each.range);
      return { ...range, severity: severities[each.severity], message: each.message, code: each.code,
        startLineNumber: range.startLineNumber, startColumn: range.startColumn, endLineNumber: range.endLineNumber, endColumn: range.endColumn };
    };
    monaco.editor.setModelMarkers(model, "lanewise", told.diagnostics.map(marker));
    document.body.dataset.version = version;
  }
  model.onDidChangeContent(async () => {
    version += 1;
    await send("change", "", { text: model.getValue(), version });
    await showProblems();
  });
  window.editor = monaco.editor.create(document.getElementById("editor"), {
    model, "semanticHighlighting.enabled": true, inlayHints: { enabled: "on" }, automaticLayout: true });
  await showProblems();
});
