import { sha256, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import type { ViewerCover } from "./data.ts";
import { embeddableJson, escapeHtml } from "./escape.ts";
import { VIEWER_PROGRAM } from "./program.generated.ts";
import { VIEWER_STYLE } from "./style.ts";

/**
 * A page that shows a version from disk. It sends no requests, and content of the version cannot run. The CSP allows
 * its own script and style by hash, and scripts beside the page: the part files, which hold JSON strings. The script
 * inserts user content only as text.
 */
export async function viewerPage(cover: ViewerCover): Promise<string> {
  const policy = [
    "default-src 'none'",
    `script-src ${await hashSource(VIEWER_PROGRAM)} 'self' file:`,
    `style-src ${await hashSource(VIEWER_STYLE)}`,
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
    `<title>${escapeHtml(`Backup of ${cover.title}`)}</title>`,
    `<style>${VIEWER_STYLE}</style>`,
    "</head>",
    "<body>",
    "<noscript>This page needs JavaScript. metadata/ has the same content as JSON.</noscript>",
    `<script type="application/json" id="cover">${embeddableJson(cover)}</script>`,
    `<script>${VIEWER_PROGRAM}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

async function hashSource(text: string): Promise<string> {
  const base64 = toBase64Url(await sha256(utf8(text)))
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  return `'sha256-${base64.padEnd(Math.ceil(base64.length / 4) * 4, "=")}'`;
}
