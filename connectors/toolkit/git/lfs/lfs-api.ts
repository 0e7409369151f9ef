import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { httpProblem } from "#connectors/toolkit/http-client.ts";
import { systemClock } from "#core/kernel/clock.ts";
import { concatBytes, fromUtf8 } from "#core/kernel/crypto.ts";
import { type BodyReader, createBodyReader } from "../body-reader.ts";
import type { LfsPointer } from "../object-facts.ts";
import { GIT_AGENT, type GitRemote, stallTime } from "../smart-http.ts";

/** The LFS server of a git repository. */
export type LfsServer = {
  remote: GitRemote;
  /** The platform's name in messages, e.g. "GitHub". */
  platform: string;
};

/** A request prepared by the server, usually to another host. */
export type LfsAction = { href: string; header: Readonly<Record<string, string>>; expiresAt: number | null };

/** The server's response about one object. */
export type LfsAnswer = LfsPointer & {
  /** Absent = nothing to do, e.g. because the server has the object. */
  actions: Partial<Record<"download" | "upload" | "verify", LfsAction>>;
  error: { code: number; message: string } | null;
};

/** Objects per batch request (the same as git-lfs). */
export const LFS_BATCH = 100;

const MEDIA_TYPE = "application/vnd.git-lfs+json";
const LARGEST_ANSWER_BYTES = 4 * 1024 * 1024;
const MOST_REDIRECTS = 3;
/** A URL that expires this soon may expire while in use. */
const EXPIRY_MARGIN_MS = 30_000;

const actionSchema = z.object({
  href: z.string(),
  header: z.record(z.string(), z.string()).nullish(),
  expires_in: z.number().nullish(),
  expires_at: z.string().nullish(),
});
const batchSchema = z.object({
  transfer: z.string().nullish(),
  objects: z.array(
    z.object({
      oid: z.string(),
      actions: z
        .object({
          download: actionSchema.optional(),
          upload: actionSchema.optional(),
          verify: actionSchema.optional(),
        })
        .nullish(),
      error: z.object({ code: z.number(), message: z.string().catch("") }).nullish(),
    }),
  ),
});

/**
 * Calls the batch API (git-lfs: docs/api/batch.md), which returns how to transfer objects. Results are in the order of
 * the request. Objects that the server omits get the error 404.
 *
 * @throws ConnectorError when the whole request failed
 */
export async function askLfs(
  server: LfsServer,
  { operation, objects }: { operation: "download" | "upload"; objects: readonly LfsPointer[] },
): Promise<LfsAnswer[]> {
  const { remote, platform } = server;
  const asked = objects.map(({ oid, sizeBytes }) => ({ oid, size: sizeBytes }));
  const body = JSON.stringify({ operation, transfers: ["basic"], objects: asked, hash_algo: "sha256" });
  const headers = { accept: MEDIA_TYPE, "content-type": MEDIA_TYPE, "user-agent": GIT_AGENT };
  let authorization = await remote.authorization?.();
  for (let isRenewed = false; ; isRenewed = true) {
    const sent = authorization === undefined ? headers : { ...headers, authorization };
    const init = { method: "POST", headers: sent, body, redirect: "manual" } as const;
    const response = await fetchOrFail(server, `${remote.url}/info/lfs/objects/batch`, init);
    if (response.status === 401 && remote.authorization !== undefined && !isRenewed) {
      await response.body?.cancel();
      authorization = await remote.authorization(authorization);
      continue;
    }
    const text = await readText(server, response);
    if (response.status !== 200) throw lfsProblem(server, response, text);
    const parsed = batchSchema.safeParse(parseJson(text));
    const isBasic = parsed.success && (parsed.data.transfer ?? "basic") === "basic";
    if (!isBasic) {
      throw new ConnectorError("malformed", `${platform}'s LFS server gave an answer of an unknown form.`);
    }
    return answersOf(objects, parsed.data, (remote.clock ?? systemClock).now());
  }
}

function answersOf(
  objects: readonly LfsPointer[],
  batch: z.output<typeof batchSchema>,
  nowMs: number,
): LfsAnswer[] {
  const byOid = new Map(batch.objects.map((object) => [object.oid, object]));
  return objects.map((pointer) => {
    const object = byOid.get(pointer.oid);
    const actions: LfsAnswer["actions"] = {};
    for (const name of ["download", "upload", "verify"] as const) {
      const action = object?.actions?.[name];
      if (action === undefined) continue;
      const { href, header, expires_in: seconds, expires_at: date } = action;
      // Prefer the relative time: it does not depend on synchronised clocks (docs/api/batch.md).
      const at = seconds ? nowMs + seconds * 1000 : date ? Date.parse(date) : Number.NaN;
      actions[name] = { href, header: header ?? {}, expiresAt: Number.isNaN(at) ? null : at };
    }
    const unknown = { code: 404, message: "The server did not say anything about this file." };
    return { ...pointer, actions, error: object === undefined ? unknown : (object.error ?? null) };
  });
}

/** Whether a prepared request may expire before it completes. */
export function isExpired({ expiresAt }: LfsAction, nowMs: number): boolean {
  return expiresAt !== null && expiresAt - nowMs < EXPIRY_MARGIN_MS;
}

/** The result of a prepared download: its bytes, or the status of the refusal. */
export type LfsDownload = { kind: "open"; body: BodyReader } | { kind: "refused"; status: number };

/** Opens a prepared download. @throws ConnectorError for temporary failures: timeouts, 5xx, rate limits */
export async function openLfsDownload(server: LfsServer, action: LfsAction): Promise<LfsDownload> {
  let url = checkedAddress(server, action.href);
  let headers = { ...action.header };
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await fetchOrFail(server, url, { method: "GET", headers, redirect: "manual" });
    const { status } = response;
    const location = response.headers.get("location");
    if (status >= 300 && status < 400 && location !== null && URL.canParse(location, url)) {
      await response.body?.cancel();
      const target = checkedAddress(server, new URL(location, url).href);
      // Credentials in the headers are only for the host they were issued for.
      if (new URL(target).origin !== new URL(url).origin) headers = {};
      url = target;
      continue;
    }
    if (status === 200 && response.body !== null) {
      return { kind: "open", body: createBodyReader(response.body, stallTime(server.remote)) };
    }
    const text = await readText(server, response);
    if (status === 429 || status === 408 || status >= 500) throw lfsProblem(server, response, text);
    return { kind: "refused", status };
  }
  throw new ConnectorError("malformed", `${server.platform}'s LFS server redirects in circles.`);
}

/** Sends a file, or the confirmation that it has arrived. @throws ConnectorError; `status` is set for a refusal */
export async function sendLfs(
  server: LfsServer,
  action: LfsAction,
  { method, body, type }: { method: "PUT" | "POST"; body: BodyInit; type: string },
): Promise<void> {
  const names = Object.keys(action.header).map((name) => name.toLowerCase());
  const headers: Record<string, string> = { ...action.header };
  if (!names.includes("content-type")) headers["content-type"] = type;
  if (!names.includes("accept")) headers.accept = MEDIA_TYPE;
  const init: RequestInit & { duplex?: "half" } = { method, headers, body, redirect: "manual" };
  if (body instanceof ReadableStream) init.duplex = "half";
  const response = await fetchOrFail(server, checkedAddress(server, action.href), init);
  const text = await readText(server, response);
  if (response.status < 200 || response.status > 299) throw lfsProblem(server, response, text);
}

/** Media type of LFS's own messages. */
export const LFS_JSON = MEDIA_TYPE;

/** Prepared URLs may point to any host, but never downgrade from HTTPS to HTTP. */
function checkedAddress({ remote, platform }: LfsServer, href: string): string {
  const url = URL.canParse(href) ? new URL(href) : null;
  const isOpen = url?.protocol === "http:" && new URL(remote.url).protocol === "http:";
  if (url === null || (url.protocol !== "https:" && !isOpen)) {
    throw new ConnectorError(
      "malformed",
      `${platform}'s LFS server returned a URL that is invalid or not HTTPS.`,
    );
  }
  return url.href;
}

async function fetchOrFail({ remote, platform }: LfsServer, url: string, init: RequestInit) {
  try {
    return await remote.fetch(url, init);
  } catch (cause) {
    if (cause instanceof ConnectorError) throw cause;
    throw new ConnectorError("unavailable", `${platform}'s LFS server cannot be reached.`, { cause });
  }
}

/** Turns an error response into a ConnectorError. 507 and 509 are permanent: the owner's quota is used up. */
function lfsProblem({ remote, platform }: LfsServer, response: Response, text: string): ConnectorError {
  const { status } = response;
  if (status === 507 || status === 509) {
    const what = status === 507 ? "storage" : "bandwidth";
    const message = `The owner's Git LFS ${what} at ${platform} is used up (${status}).`;
    return new ConnectorError("forbidden", message, { status });
  }
  if (status === 501) {
    const message = `${platform} does not offer Git LFS for this repository (501).`;
    return new ConnectorError("unsupported", message, { status });
  }
  const call = { about: "the files of Git LFS" };
  return httpProblem({ platform }, call, response, text, (remote.clock ?? systemClock).now());
}

async function readText({ remote }: LfsServer, response: Response): Promise<string> {
  if (response.body === null) return "";
  const reader = createBodyReader(response.body, stallTime(remote));
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let chunk = await reader.read(); chunk !== null; chunk = await reader.read()) {
    length += chunk.length;
    if (length > LARGEST_ANSWER_BYTES) {
      await reader.cancel();
      throw new ConnectorError("malformed", "The LFS server's answer is too large.");
    }
    chunks.push(chunk.slice());
  }
  return fromUtf8(concatBytes(...chunks));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
