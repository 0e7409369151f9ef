import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import type { ByteSink } from "#connectors/contract/snapshot-view.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { createBodyReader } from "./git/body-reader.ts";
import { type HttpApi, httpProblem } from "./http-client.ts";

/** A file at a platform. */
export type Download = {
  /** The name in messages, e.g. "GitHub". */
  platform: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Value of the Authorization header for a token. Default: `Bearer …`. */
  authorization?: (token: string) => string;
  /** Interprets errors whose status is misleading; see `HttpApi`. */
  readProblem?: HttpApi["readProblem"];
  /** What is downloaded, for messages. */
  about: string;
  /** The quota that the request draws on, if the platform's responses name one. */
  quota?: string;
  /** Size announced by the platform; null = unknown. */
  sizeBytes: number | null;
  /**
   * For URLs from user content: requests carry no credentials, every URL must satisfy `mayLead`, and files that are
   * larger than `mostBytes` or do not state their size are rejected before their bytes are read.
   */
  stranger?: { mayLead: (url: URL) => boolean; mostBytes: number };
};

/** Writes the bytes of an opened file. @throws ConnectorError when the size differs from the announced one */
export type WriteDownload = (sink: ByteSink, report?: (doneBytes: number) => void) => Promise<void>;
/**
 * A file whose bytes have not been read yet, with its media type and size according to the platform; null = not stated.
 * Whoever does not write it must cancel it.
 */
export type OpenDownload = {
  write: WriteDownload;
  mediaType: string | null;
  statedBytes: number | null;
  cancel(): Promise<void>;
};

const MOST_REDIRECTS = 4;
const STALL_MS = MINUTE_MS;
/** Bytes that must arrive within the stall time; also the read size, if the runtime supports it. */
const PROGRESS_BYTES = 64 * 1024;
const EXCERPT_BYTES = 4_096;

/**
 * Opens a file. Platforms store files on another host and redirect there with a signed URL: the request to that host
 * carries no credentials of ours.
 *
 * @throws ConnectorError
 */
export async function openDownload(session: Session, download: Download): Promise<OpenDownload> {
  const { platform, about, headers, stranger } = download;
  const home = new URL(download.url).origin;
  let url = download.url;
  let token = stranger ? "" : await session.accessToken();
  let isRenewed = false;
  for (let hop = 0; hop <= MOST_REDIRECTS; ) {
    if (stranger && !stranger.mayLead(new URL(url))) {
      throw new ConnectorError("unsupported", `${platform} does not keep ${about} itself.`);
    }
    const isHome = stranger === undefined && new URL(url).origin === home;
    if (isHome) await session.spend(1, download.quota);
    const authorization = download.authorization?.(token) ?? `Bearer ${token}`;
    const sent = isHome ? { ...headers, authorization } : stranger ? headers : {};
    const response = await fetchOrFail(session, url, { headers: sent, redirect: "manual" }, platform);
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null && URL.canParse(location, url)) {
      await response.body?.cancel();
      url = new URL(location, url).href;
      hop += 1;
      continue;
    }
    if (response.status !== 200 || response.body === null) {
      const text = (await response.text().catch(() => "")).slice(0, EXCERPT_BYTES);
      const call = { about, missing: "forbidden" } as const;
      const problem = isHome ? download.readProblem?.(response, text, call, session.clock.now()) : null;
      if (problem?.limits) await session.report(problem.limits);
      if (problem) throw problem.error;
      if (response.status === 401 && isHome && !isRenewed) {
        isRenewed = true;
        token = await session.accessToken(token);
        continue;
      }
      const { authMethod } = session;
      throw httpProblem({ platform }, { ...call, authMethod }, response, text, session.clock.now());
    }
    const sizeBytes = stranger ? boundedSize(response, download, stranger.mostBytes) : download.sizeBytes;
    const mediaType = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? null;
    // The length of a compressed body is not that of the file.
    const statedBytes = response.headers.has("content-encoding") ? null : statedSize(response.headers);
    return { ...openBody(response.body, { ...download, sizeBytes }), mediaType, statedBytes };
  }
  throw new ConnectorError("malformed", `${platform} redirects in circles.`);
}

/** The size stated by the response. @throws ConnectorError `unsupported` when it is too large or missing */
function boundedSize({ headers, body }: Response, { platform, about }: Download, mostBytes: number): number {
  const sizeBytes = statedSize(headers);
  if (sizeBytes !== null && sizeBytes <= mostBytes) return sizeBytes;
  body?.cancel().catch(() => undefined);
  const why =
    sizeBytes === null
      ? "does not tell how large it is"
      : `gives it ${sizeBytes} bytes, which is more than the ${mostBytes} that a backup takes`;
  throw new ConnectorError("unsupported", `${platform} offers ${about} but ${why}.`);
}

/** The length of a body by its header. */
function statedSize(headers: Headers): number | null {
  const length = headers.get("content-length") ?? "";
  return /^[0-9]{1,15}$/.test(length) ? Number(length) : null;
}

async function fetchOrFail(
  session: Session,
  url: string,
  init: RequestInit,
  platform: string,
): Promise<Response> {
  try {
    return await session.fetch(url, init);
  } catch (cause) {
    if (cause instanceof ConnectorError) throw cause;
    throw new ConnectorError("unavailable", `${platform} cannot be reached.`, { cause });
  }
}

function openBody(
  body: ReadableStream<Uint8Array>,
  { platform, about, sizeBytes }: Download,
): Pick<OpenDownload, "write" | "cancel"> {
  const reader = createBodyReader(body, STALL_MS);
  reader.expectProgress(PROGRESS_BYTES);
  const cutOff = (cause?: unknown) =>
    new ConnectorError("unavailable", `${platform} broke off while sending ${about}.`, { cause });
  const next = () =>
    reader.read().catch((cause: unknown) => {
      throw cutOff(cause);
    });
  const write: WriteDownload = async (sink, report) => {
    let done = 0;
    try {
      for (let chunk = await next(); chunk !== null; chunk = await next()) {
        done += chunk.length;
        await sink.write(chunk);
        report?.(done);
      }
    } catch (cause) {
      await reader.cancel();
      throw cause;
    }
    if (sizeBytes !== null && done !== sizeBytes) throw cutOff();
  };
  return { write, cancel: () => reader.cancel() };
}
