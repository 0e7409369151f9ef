import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Context } from "hono";
import { type Entry, knownFrom } from "#core/entry/index.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { logger } from "#core/kernel/logger.ts";
import { createMemory } from "#core/kernel/memory.ts";
import type { ApiEnv } from "./api/api-env.ts";
import { createKeptPages } from "./kept-pages.ts";
import { enterPage, isSameEntry, type PageEntrance } from "./page-entrance.ts";
import { ledgersFor, openControl } from "./services.ts";

/** Renders a request's page. */
type Screens = (request: Request, context: AppLoadContext) => Promise<Response>;

/** The headers that a kept page may depend on. Its loaders see no others. */
const READ_HEADERS = ["Cookie", "Sec-Fetch-Dest"];

const HTML = "text/html; charset=utf-8";

/**
 * Serves the screens' pages: one round trip for the member, one for the page's data. A cached page is used while the
 * hub's revision is the same.
 */
export function pageDoor(screens: Screens): (c: Context<ApiEnv>) => Promise<Response> {
  const pages = createKeptPages();
  return async (c) => {
    const { services } = c.var;
    const marks = { nonce: c.var.nonce, requestId: c.var.requestId };
    const readAt = services.clock.now();
    const entrance = await enterPage({
      env: c.env,
      services,
      headers: c.req.raw.headers,
      later: (work) => c.executionCtx.waitUntil(work.catch(noteFailure)),
    });
    const key = await keyOf(c.req.raw, entrance);
    const kept = key && pages.find(key, marks, readAt);
    if (kept) return new Response(kept, { headers: { "Content-Type": HTML } });
    const request = key === null ? c.req.raw : bareRequest(c.req.raw);
    const page = await drawConfirmed((entry) => draw(c, screens, { request, entry, entrance }), entrance);
    if (entrance.setCookie !== null) page.headers.append("Set-Cookie", entrance.setCookie);
    if (key === null || !isToKeep(page)) return page;
    const text = await page.text();
    pages.keep(key, text, marks, readAt);
    return new Response(text, page);
  };
}

function noteFailure(cause: unknown): void {
  logger("pages").warn("Work after a response failed", { cause });
}

/** Renders the page. If the database does not confirm the entry, renders it again for the confirmed one. */
async function drawConfirmed(
  drawFor: (entry: Entry | null) => Promise<Response>,
  { entry, truth }: PageEntrance,
): Promise<Response> {
  if (truth === null) return drawFor(entry);
  const [page, known] = await Promise.all([drawFor(entry), truth]);
  if (isSameEntry(entry, known)) return page;
  await page.body?.cancel();
  return drawFor(known);
}

function draw(
  c: Context<ApiEnv>,
  screens: Screens,
  { request, entry, entrance }: { request: Request; entry: Entry | null; entrance: PageEntrance },
): Promise<Response> {
  const { services, nonce, requestId } = c.var;
  const control = entrance.start === null ? services.control : openControl(c.env, entrance.start).control;
  // Loaders of one page share cached reads.
  const memory = createMemory(entry ? knownFrom(services.settings, entry) : []);
  const member = entry?.member ?? null;
  const ledger = ledgersFor(c.env, services, member);
  const context = { services: { ...services, control, memory, ledger }, member };
  return screens(request, { ...context, nonce, requestId });
}

/** The key of a page that may be kept: a document whose entry has a lease. Null for all others. */
async function keyOf(request: Request, { revision, tokenHash }: PageEntrance): Promise<string | null> {
  if (revision === null || request.method !== "GET" || new URL(request.url).pathname.endsWith(".data"))
    return null;
  const read = READ_HEADERS.map((name) => request.headers.get(name));
  return sha256Hex(JSON.stringify([tokenHash, revision, request.url, ...read]));
}

function bareRequest(request: Request): Request {
  const headers = new Headers();
  for (const name of READ_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Request(request.url, { headers, signal: request.signal });
}

function isToKeep(page: Response): boolean {
  return page.status === 200 && page.headers.get("Content-Type") === HTML && !page.headers.has("Set-Cookie");
}
