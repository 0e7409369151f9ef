import { ConnectorError, type ConnectorErrorKind } from "#connectors/contract/connector-error.ts";
import type { BytesAnswer, BytesCall } from "#connectors/toolkit/bytes-client.ts";
import { retryTime } from "#connectors/toolkit/retry-time.ts";

/** An error of the called route: the tags of its unions from the outside in, and the innermost `correct_offset`. */
export type RouteError = { tags: readonly string[]; correctOffset: number | null };

/** Kinds by tag, at any depth of an error (Dropbox's published route errors). */
const KIND_OF_TAG: Readonly<Record<string, ConnectorErrorKind>> = {
  insufficient_space: "full",
  insufficient_quota: "full",
  no_write_permission: "forbidden",
  access_restricted: "forbidden",
  team_folder: "forbidden",
  restricted_content: "forbidden",
  conflict: "forbidden",
  missing_scope: "forbidden",
  malformed_path: "unsupported",
  disallowed_name: "unsupported",
  too_large: "unsupported",
  payload_too_large: "unsupported",
  too_many_write_operations: "unavailable",
  operation_suppressed: "unavailable",
  content_hash_mismatch: "unavailable",
};

const SENTENCES: Readonly<Record<ConnectorErrorKind, string>> = {
  unauthorized: "Dropbox no longer accepts our access: connect it again",
  forbidden: "Dropbox does not let us write this copy",
  gone: "Dropbox no longer has what this copy needs",
  "rate-limited": "Dropbox asks us to wait",
  unavailable: "Dropbox is not available",
  full: "There is no room left in this Dropbox",
  unsupported: "Dropbox refuses to keep this copy",
  malformed: "Dropbox gave an answer that is not known",
};

/** Turns an error response into a ConnectorError, quoting Dropbox's tags. */
export function readRefusal(answer: BytesAnswer, _call: BytesCall, nowMs: number): ConnectorError {
  const { status, headers } = answer;
  const { tags } = readTags(answer.text);
  const kind = kindOf(status, tags);
  const said = tags.length === 0 ? "" : ` It said: ${tags.join("/")}.`;
  const retryAt = kind === "rate-limited" ? { retryAt: retryTime(headers, nowMs) } : {};
  return new ConnectorError(kind, `${SENTENCES[kind]} (${status}).${said}`, { status, ...retryAt });
}

/** The tags of an error; empty when the body is not a Dropbox error. */
export function readTags(text: string): RouteError {
  const tags: string[] = [];
  let correctOffset: number | null = null;
  let inner = errorOf(text);
  for (let depth = 0; depth < 6 && inner !== null; depth++) {
    const tag: unknown = inner[".tag"];
    // Accept only names in Dropbox's format, never foreign text.
    if (typeof tag === "string" && /^[a-z0-9_]{1,60}$/.test(tag)) tags.push(tag);
    if (typeof inner.correct_offset === "number") correctOffset = inner.correct_offset;
    inner = (Object.values(inner).find((value) => isTagged(value)) as Tagged | undefined) ?? null;
  }
  return { tags, correctOffset };
}

type Tagged = Record<string, unknown>;

function isTagged(value: unknown): value is Tagged {
  return typeof value === "object" && value !== null && ".tag" in value;
}

function errorOf(text: string): Tagged | null {
  try {
    const body = JSON.parse(text) as { error?: unknown } | null;
    const error = body?.error;
    return typeof error === "object" && error !== null ? (error as Tagged) : null;
  } catch {
    return null;
  }
}

function kindOf(status: number, tags: readonly string[]): ConnectorErrorKind {
  if (status === 429) return "rate-limited";
  if (status === 408 || status >= 500) return "unavailable";
  const known = tags.map((tag) => KIND_OF_TAG[tag]).find((kind) => kind !== undefined);
  if (known !== undefined) return known;
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  if (status === 409) return "unavailable";
  return status === 400 ? "unsupported" : "malformed";
}
