import { sha256, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import type { BoardView } from "./export-view.ts";
import { VIEWER_SCRIPT } from "./viewer-script.ts";
import { VIEWER_STYLE } from "./viewer-style.ts";

/**
 * A page that shows a board offline. It sends no requests, and no content of the board can run as code. The content
 * security policy allows only its own script and style, by hash. The board is embedded as JSON without HTML special
 * characters, and the script writes it only as text.
 */
export async function viewerPage(view: BoardView): Promise<string> {
  const { files: _files, ...board } = view;
  const policy = [
    "default-src 'none'",
    `script-src '${await hashSource(VIEWER_SCRIPT)}'`,
    `style-src '${await hashSource(VIEWER_STYLE)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(board.name)}</title>`,
    `<style>${VIEWER_STYLE}</style>`,
    "</head>",
    "<body>",
    "<noscript>This page needs JavaScript to show the board. The same content stands in cards.csv and metadata/.</noscript>",
    `<script type="application/json" id="board">${embeddableJson(board)}</script>`,
    `<script>${VIEWER_SCRIPT}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** JSON that is safe in a script element: no content can close the element. */
export function embeddableJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

async function hashSource(text: string): Promise<string> {
  const base64 = toBase64Url(await sha256(utf8(text)))
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  return `sha256-${base64.padEnd(Math.ceil(base64.length / 4) * 4, "=")}`;
}
