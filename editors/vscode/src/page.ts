// The live page of 'lanewise serve' in a panel beside the text.
import { type ChildProcess, spawn } from "node:child_process";
import * as vscode from "vscode";

const FIRST_ADDRESS = /^http:\/\/127\.0\.0\.1:\d+\/\S*$/m;

/** The panel's own page: nothing but the frame. */
function frameOf(address: string): string {
  const origin = new URL(address).origin;
  return `<!DOCTYPE html>
<html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; frame-src ${origin}; style-src 'unsafe-inline'">
<style>html, body, iframe { margin: 0; padding: 0; border: 0; width: 100%; height: 100vh; background: #fff }</style></head>
<body><iframe src="${address}"></iframe></body></html>`;
}

/** Starts the server, and resolves to its address. It ends with `ended`. */
function serve(program: string, words: string[], folder: string | undefined, ended: vscode.Disposable[]): Promise<string> {
  const server: ChildProcess = spawn(program, ["serve", ...words, "--port", "0"], { cwd: folder });
  ended.push({ dispose: () => void server.kill("SIGTERM") });
  return new Promise((resolve, reject) => {
    let told = "";
    let wrong = "";
    server.stdout?.on("data", (bytes: Buffer) => {
      told += bytes.toString();
      const address = FIRST_ADDRESS.exec(told);
      if (address) resolve(address[0]);
    });
    server.stderr?.on("data", (bytes: Buffer) => (wrong += bytes.toString()));
    server.on("error", reject);
    server.on("exit", () => reject(new Error(wrong || "the server has ended")));
  });
}

/** Opens the page of a file. A saved text shows itself there. */
export async function openPage(program: string, file: string, words: string[], folder: string | undefined): Promise<void> {
  const name = vscode.workspace.asRelativePath(file);
  const panel = vscode.window.createWebviewPanel("lanewise.page", `Lanewise: ${name}`, vscode.ViewColumn.Beside, {
    enableScripts: true,
    retainContextWhenHidden: true,
  });
  const ended: vscode.Disposable[] = [];
  panel.onDidDispose(() => ended.forEach((each) => each.dispose()));
  try {
    const local = vscode.Uri.parse(await serve(program, [file, ...words], folder, ended), true);
    const address = await vscode.env.asExternalUri(local);
    panel.webview.html = frameOf(address.toString(true));
  } catch (error) {
    panel.dispose();
    void vscode.window.showErrorMessage(`lanewise serve: ${error instanceof Error ? error.message : String(error)}`);
  }
}
