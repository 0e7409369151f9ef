import type { AppLoadContext, DataFunctionArgs, EntryContext } from "@remix-run/cloudflare";
import { RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { loggedPath, logger } from "#core/kernel/logger.ts";
import { NonceContext } from "./nonce.ts";

/**
 * Renders to a string: no screen streams, and the string renderer has four times the throughput. Remix provides the
 * loaders' data as a stream that only the streaming renderer would write, so the stream is read to its end and inserted
 * into the page at once.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: AppLoadContext,
) {
  const handoff = context.serverHandoffStream ? await new Response(context.serverHandoffStream).text() : null;
  context.serverHandoffStream = undefined;
  const { nonce } = loadContext;
  const markup = renderToString(
    <NonceContext.Provider value={nonce}>
      <RemixServer context={context} url={request.url} nonce={nonce} />
    </NonceContext.Provider>,
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  /* A page without the router's scripts does not need the data. */
  const hasRouter = markup.includes("window.__remixContext");
  const page = handoff === null || !hasRouter ? markup : withHandoff(markup, handoff, nonce);
  return new Response(`<!doctype html>${page}`, { status, headers });
}

function withHandoff(markup: string, handoff: string, nonce: string): string {
  const script =
    `<script nonce="${nonce}">window.__remixContext.streamController.enqueue(${scriptText(handoff)});` +
    "window.__remixContext.streamController.close();</script>";
  const end = markup.lastIndexOf("</body>");
  return end < 0 ? markup : markup.slice(0, end) + script + markup.slice(end);
}

const UNSAFE_IN_SCRIPT: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** A string literal that cannot close its script element. */
function scriptText(text: string): string {
  return JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (sign) => UNSAFE_IN_SCRIPT[sign] ?? sign);
}

/** Logs an unhandled error under the request's id. The page shows only that id. */
export function handleError(error: unknown, { request, context }: DataFunctionArgs): void {
  if (request.signal.aborted) return;
  logger("screens").error("{method} {path} failed", {
    requestId: context.requestId,
    method: request.method,
    path: loggedPath(new URL(request.url).pathname),
    error,
  });
}
