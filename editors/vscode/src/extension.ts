// Starts 'lanewise lsp', and carries out what its lenses ask for.
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { openPage } from "./page";

/** What a lens hands over: the words of the command line behind 'lanewise'. */
interface LensArgument {
  uri: string;
  words: string[];
}

let client: LanguageClient | undefined;

function configured<T>(name: string, otherwise: T): T {
  return vscode.workspace.getConfiguration("lanewise").get<T>(name) ?? otherwise;
}

function program(): string {
  return configured("program", "lanewise");
}

function folderOf(uri: vscode.Uri | undefined): string | undefined {
  const folder = uri ? vscode.workspace.getWorkspaceFolder(uri) : vscode.workspace.workspaceFolders?.[0];
  return folder?.uri.fsPath;
}

async function start(): Promise<void> {
  const folder = folderOf(undefined);
  const server: ServerOptions = { command: program(), args: ["lsp"], ...(folder ? { options: { cwd: folder } } : {}) };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "lanewise" }, { language: "tensix-asm" }, { language: "cpp" }, { pattern: "**/*.hex" }],
    initializationOptions: configured("settings", {}),
  };
  client = new LanguageClient("lanewise", "Lanewise", server, options);
  await client.start();
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w./=:+,@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function runInTerminal(words: string[], uri: vscode.Uri): void {
  const name = "Lanewise";
  const folder = folderOf(uri);
  const known = vscode.window.terminals.find((each) => each.name === name);
  const terminal = known ?? vscode.window.createTerminal({ name, ...(folder ? { cwd: folder } : {}) });
  terminal.show(true);
  terminal.sendText([program(), ...words].map(quoted).join(" "));
}

/** What a sweep is measured against; undefined where nothing was given. */
function askReference(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: "Lanewise: what the kernel computes",
    placeHolder: "exp(x)",
    prompt: "An expression of x, as --ref takes it",
  });
}

async function runLens(argument: LensArgument, wantsReference: boolean): Promise<void> {
  const uri = vscode.Uri.parse(argument.uri);
  await (await vscode.workspace.openTextDocument(uri)).save();
  const reference = wantsReference ? await askReference() : undefined;
  if (wantsReference && reference === undefined) return;
  runInTerminal(reference ? [...argument.words, "--ref", reference] : argument.words, uri);
}

/** The settings as words of the command line, of which 'serve' takes these. */
function pageWords(): string[] {
  const settings = configured<Record<string, string | string[]>>("settings", {});
  return Object.entries(settings).flatMap(([name, value]) => [value].flat().flatMap((each) => [`--${name}`, each]));
}

async function showPage(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || document.uri.scheme !== "file") return;
  await document.save();
  await openPage(program(), document.fileName, pageWords(), folderOf(document.uri));
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const command = vscode.commands.registerCommand.bind(vscode.commands);
  context.subscriptions.push(
    ...["run", "time", "tune"].map((name) => command(`lanewise.${name}`, (argument: LensArgument) => runLens(argument, false))),
    command("lanewise.sweep", (argument: LensArgument) => runLens(argument, true)),
    command("lanewise.page", showPage),
    command("lanewise.restart", () => client?.restart()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration("lanewise.settings")) return;
      void client?.sendNotification("workspace/didChangeConfiguration", { settings: { lanewise: configured("settings", {}) } });
    }),
  );
  await start();
}

export function deactivate(): Thenable<void> | undefined {
  return client?.stop();
}
