import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { ConnectorConfig, Quota, Session } from "#connectors/contract/platform-connector.ts";
import type { Download } from "#connectors/toolkit/download.ts";
import {
  createHttpClient,
  type HttpApi,
  type HttpCall,
  type HttpClient,
  type HttpClientDeps,
} from "#connectors/toolkit/http-client.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";

/**
 * The version of Notion's API that this connector uses. Version 2026-03-11 names three things differently: `after` became
 * `position`, `archived` became `in_trash`, blocks `transcription` became `meeting_notes` (its upgrade guide). Answers
 * of this version already have `in_trash` beside `archived`, and reads use only that.
 */
export const API_VERSION = "2025-09-03";

const USER_AGENT = "holdfast/1";

/** Requests that each connection can make in a second on average (Notion's documentation, "Request limits"). */
export const REQUESTS_PER_SECOND = 3;

/** Seconds in which the average is kept: the documentation allows bursts, so short work need not wait. */
const BURST_SECONDS = 10;

/** Requests of a connection that we send in any `perMs`. */
export const PACE = { points: REQUESTS_PER_SECOND * BURST_SECONDS, perMs: BURST_SECONDS * SECOND_MS };

/** Notion does not say how much is left. A workspace has a limit of its own, which shows only as 429. */
export const quotas: readonly Quota[] = [{ resource: "connection", owner: "account", ...PACE }];

/** The largest file that Notion keeps, in bytes (its documentation, "Working with files": 5 GiB). */
const LARGEST_FILE_BYTES = 5 * 1024 ** 3;

/** Members of a page of a list (Notion's documentation, "Pagination"). */
export const PAGE_SIZE = 100;

/** Notion's API. */
export function notionApi(config: ConnectorConfig): HttpApi {
  return {
    platform: "Notion",
    baseUrl: `${config.NOTION_API_URL ?? "https://api.notion.com"}/v1`,
    headers: { "user-agent": USER_AGENT, "notion-version": API_VERSION },
  };
}

/** The token endpoint, which our client id and secret sign in to (RFC 6749 section 2.3.1; the SDK's `oauth.token`). */
export function notionDesk(config: ConnectorConfig): HttpApi & { accessToken: () => Promise<string> } {
  const pair = `${config.NOTION_CLIENT_ID ?? ""}:${config.NOTION_CLIENT_SECRET ?? ""}`;
  return {
    ...notionApi(config),
    authorization: (token) => `Basic ${token}`,
    accessToken: async () => btoa(pair),
  };
}

/** A client of the API. A refusal names the capability that the connection lacks. */
export function notionClient(session: HttpClientDeps & Pick<Session, "config">): HttpClient {
  const client = createHttpClient(session, notionApi(session.config));
  return {
    request: (call, schema) => client.request(call, schema).catch((error) => explained(error, call)),
    send: (call) => client.send(call).catch((error) => explained(error, call)),
    page: (call, schema) => client.page(call, schema).catch((error) => explained(error, call)),
    members: client.members,
  };
}

/** Notion's names of what a connection may do, which its owner sees on the consent page. */
const CAPABILITIES = {
  readContent: "Read content",
  updateContent: "Update content",
  insertContent: "Insert content",
  readComments: "Read comments",
  insertComments: "Insert comments",
  readUsers: "Read user information",
} as const;

/** The capability that a call needs (Notion's documentation, "Capabilities"). */
export function capabilityOf({ method, path }: Pick<HttpCall, "method" | "path">): string {
  if (path.startsWith("/comments"))
    return method === "GET" ? CAPABILITIES.readComments : CAPABILITIES.insertComments;
  if (path.startsWith("/users")) return CAPABILITIES.readUsers;
  if (method === "GET" || /^\/search|\/query$/.test(path)) return CAPABILITIES.readContent;
  const isNew = method === "POST" || path.endsWith("/children");
  return isNew ? CAPABILITIES.insertContent : CAPABILITIES.updateContent;
}

/** Rethrows an error. 403 has the code `restricted_resource`: the connection lacks a capability. */
function explained(error: unknown, call: HttpCall): never {
  if (!(error instanceof ConnectorError) || error.kind !== "forbidden" || error.status !== 403) throw error;
  const needs = `It needs the capability “${capabilityOf(call)}”.`;
  throw new ConnectorError("forbidden", `${error.message} ${needs}`, { status: 403, cause: error });
}

/**
 * The bytes behind an address that Notion gave us. The address is signed and belongs to another host, which gets no
 * credentials.
 */
export function fileDownload(config: ConnectorConfig, file: { url: string; about: string }): Download {
  const own = new URL(notionApi(config).baseUrl);
  return {
    platform: "Notion",
    url: file.url,
    headers: { "user-agent": USER_AGENT },
    about: file.about,
    sizeBytes: null,
    stranger: {
      // A simulated Notion has its files on the same machine, without TLS.
      mayLead: (url) =>
        url.protocol === "https:" || (own.protocol === "http:" && url.hostname === own.hostname),
      mostBytes: LARGEST_FILE_BYTES,
    },
  };
}

/** The base URL of the web site. */
export function webBase(config: ConnectorConfig): string {
  return config.NOTION_URL ?? "https://app.notion.com";
}

/** The page of a page or a database on the web site (recorded answers: `https://app.notion.com/p/{id}`). */
export function webPage(config: ConnectorConfig, pageId: string): string {
  return `${webBase(config)}/p/${pageId.replaceAll("-", "")}`;
}

/** The page on which an owner consents and picks pages. */
export function consentPage(config: ConnectorConfig): string {
  return `${notionApi(config).baseUrl}/oauth/authorize`;
}

const id = encodeURIComponent;

/** Ids of properties are percent-encoded in answers already. */
const property = (propertyId: string) => encodeURIComponent(decodeURIComponent(propertyId));

/** Paths of the API below `/v1`. */
export const paths = {
  token: "/oauth/token",
  revoke: "/oauth/revoke",
  search: "/search",
  me: "/users/me",
  users: "/users",
  user: (userId: string) => `/users/${id(userId)}`,
  pages: "/pages",
  page: (pageId: string) => `/pages/${id(pageId)}`,
  pageProperty: (pageId: string, propertyId: string) =>
    `/pages/${id(pageId)}/properties/${property(propertyId)}`,
  pageMarkdown: (pageId: string) => `/pages/${id(pageId)}/markdown`,
  pageMove: (pageId: string) => `/pages/${id(pageId)}/move`,
  block: (blockId: string) => `/blocks/${id(blockId)}`,
  children: (blockId: string) => `/blocks/${id(blockId)}/children`,
  databases: "/databases",
  database: (databaseId: string) => `/databases/${id(databaseId)}`,
  dataSources: "/data_sources",
  dataSource: (sourceId: string) => `/data_sources/${id(sourceId)}`,
  query: (sourceId: string) => `/data_sources/${id(sourceId)}/query`,
  templates: (sourceId: string) => `/data_sources/${id(sourceId)}/templates`,
  views: "/views",
  view: (viewId: string) => `/views/${id(viewId)}`,
  comments: "/comments",
  comment: (commentId: string) => `/comments/${id(commentId)}`,
  emojis: "/custom_emojis",
  fileUploads: "/file_uploads",
  fileUpload: (uploadId: string) => `/file_uploads/${id(uploadId)}`,
  fileUploadSend: (uploadId: string) => `/file_uploads/${id(uploadId)}/send`,
  fileUploadComplete: (uploadId: string) => `/file_uploads/${id(uploadId)}/complete`,
} as const;
