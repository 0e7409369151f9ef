import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { ConnectorConfig, Quota, Session } from "#connectors/contract/platform-connector.ts";
import {
  createHttpClient,
  type HttpApi,
  type HttpCall,
  type HttpClient,
} from "#connectors/toolkit/http-client.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { listOf } from "./payloads.ts";

/** The version of Almanac's API that this connector targets. */
export const API_VERSION = "1";

/** Almanac counts requests per site and, apart from them, uploads. It tells only when one is spent. */
const SITE_QUOTA: Quota = { resource: "site", owner: "account", points: 600, perMs: MINUTE_MS };
export const UPLOAD_QUOTA: Quota = {
  ...{ resource: "uploads", owner: "account", points: 120, perMs: MINUTE_MS },
  isNamed: true,
};
export const quotas: readonly Quota[] = [SITE_QUOTA, UPLOAD_QUOTA];

const MOST_PER_PAGE = 50;
const MOST_PAGES = 10_000;

/** The API. Addresses appear only in this file. */
export function almanacApi(config: ConnectorConfig): HttpApi {
  return {
    platform: "Almanac",
    baseUrl: webBase(config),
    headers: { "user-agent": "holdfast/1", "almanac-version": API_VERSION },
  };
}

/** The base URL of the web site and the API. */
export function webBase(config: ConnectorConfig): string {
  return config.ALMANAC_URL ?? "https://almanac.example";
}

/** A client for one session. */
export function almanacClient(session: Session): HttpClient {
  return createHttpClient(session, almanacApi(session.config));
}

/** What a connection stores about its site. */
export const siteDetailsSchema = z.object({ siteId: z.string(), address: z.string() });

/** The id of the connected site. @throws ConnectorError `unauthorized` when the connection names none */
export function siteOf({ connectionDetails }: Pick<Session, "connectionDetails">): string {
  const known = siteDetailsSchema.safeParse(connectionDetails);
  if (known.success) return known.data.siteId;
  throw new ConnectorError("unauthorized", "The connection names no site of Almanac.");
}

/**
 * Reads a list page by page from a cursor on; yields each page with the cursor behind it.
 * @throws ConnectorError, `malformed` when a cursor comes back
 */
export async function* listPages<S extends z.ZodType>(
  client: HttpClient,
  call: Omit<HttpCall, "method">,
  member: S,
  from: string | null = null,
): AsyncGenerator<{ items: z.output<S>[]; next: string | null }, void> {
  const seen = new Set<string>();
  for (let cursor = from; seen.size < MOST_PAGES; ) {
    const query = { ...call.query, limit: MOST_PER_PAGE, ...(cursor === null ? {} : { cursor }) };
    const page = await client.request({ ...call, method: "GET", query }, listOf(member));
    yield page;
    cursor = page.next;
    if (cursor === null) return;
    if (seen.has(cursor)) break;
    seen.add(cursor);
  }
  throw new ConnectorError("malformed", `Almanac's list of ${call.about} does not end.`);
}

/** The address of a book, from its full name in `inventory.ts`: `Name (id)`. */
export function bookPage(config: ConnectorConfig, { fullName }: { fullName: string }): string {
  const id = /\(([a-z0-9]+)\)$/.exec(fullName)?.[1];
  return id === undefined ? webBase(config) : bookAddress(config, id);
}

/** The address of a book, or of a page or row in it. */
export function bookAddress(config: ConnectorConfig, bookId: string, thing?: string): string {
  return `${webBase(config)}/b/${bookId}${thing === undefined ? "" : `/${thing}`}`;
}

const id = encodeURIComponent;

/** Paths of the API. Ids are encoded. */
export const paths = {
  sites: "/v1/sites",
  site: (siteId: string) => `/v1/sites/${id(siteId)}`,
  books: (siteId: string) => `/v1/sites/${id(siteId)}/books`,
  book: (siteId: string, bookId: string) => `/v1/sites/${id(siteId)}/books/${id(bookId)}`,
  /** A list of a book: its pages, registers, rows or comments; each takes new members too. */
  below: (siteId: string, bookId: string, what: "pages" | "registers" | "rows" | "comments" | "files") =>
    `/v1/sites/${id(siteId)}/books/${id(bookId)}/${what}`,
  readers: (siteId: string, bookId: string) => `/v1/sites/${id(siteId)}/books/${id(bookId)}/readers`,
  file: (siteId: string, bookId: string, fileId: string) =>
    `/v1/sites/${id(siteId)}/books/${id(bookId)}/files/${id(fileId)}`,
} as const;
