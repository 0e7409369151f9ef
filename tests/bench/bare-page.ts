import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import { ROOT, runTool } from "#workers/commands/tools.ts";
import { check } from "./bench.ts";

/** The smallest app with the framework: a document, a page, and a page with the library's style sheet. */
export async function buildBare(folder: string): Promise<void> {
  const files = {
    "package.json": JSON.stringify({ type: "module", sideEffects: false }),
    "vite.config.ts": readFileSync(join(ROOT, "vite.config.ts"), "utf8").replaceAll('"./', `"${ROOT}/`),
    "app/root.tsx": `import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "@remix-run/react";
export default function Root() {
  return <html lang="en"><head><Meta /><Links /></head><body><Outlet /><ScrollRestoration /><Scripts /></body></html>;
}`,
    "app/entry.client.tsx": `import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
startTransition(() => { hydrateRoot(document, <StrictMode><RemixBrowser /></StrictMode>); });`,
    "app/entry.server.tsx": `import { RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
export default (request: Request, status: number, headers: Headers, context: never) => {
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response("<!doctype html>" + renderToString(<RemixServer context={context} url={request.url} />), { status, headers });
};`,
    "app/routes/_index.tsx": "export default () => <h1>Hello</h1>;",
    "app/routes/radix.tsx": 'import "@radix-ui/themes/styles.css";\nexport default () => <h1>Hello</h1>;',
  };
  mkdirSync(join(folder, "app/routes"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const { code, output } = await runTool("remix", ["vite:build", folder]);
  check(code === 0, `the bare page builds: ${output}`);
}

/** Answers requests for the bare page and its assets, once it is built in `folder`. */
export async function serveBare(folder: string): Promise<(asked: Request) => Promise<Response>> {
  const app = (await import(pathToFileURL(join(folder, "build/server/index.js")).href)) as ServerBuild;
  const draw = createRequestHandler(app, "production");
  return async (asked) => {
    const { pathname } = new URL(asked.url);
    if (!/^\/assets\/[\w.-]+$/.test(pathname)) return await draw(asked);
    const type = pathname.endsWith(".css") ? "text/css" : "text/javascript";
    const headers = { "content-type": type, "cache-control": "public, max-age=31536000, immutable" };
    return new Response(readFileSync(join(folder, "build/client", pathname)), { headers });
  };
}
