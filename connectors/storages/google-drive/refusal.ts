import { ConnectorError, type ConnectorErrorKind } from "#connectors/contract/connector-error.ts";
import type { BytesAnswer, BytesCall } from "#connectors/toolkit/bytes-client.ts";
import { retryTime } from "#connectors/toolkit/retry-time.ts";

/** Kinds by Drive's reason, where the status alone is ambiguous (Drive API, "Resolve errors"). */
const KIND_OF_REASON: Readonly<Record<string, ConnectorErrorKind>> = {
  storageQuotaExceeded: "full",
  quotaExceeded: "full",
  teamDriveFileLimitExceeded: "full",
  numChildrenInNonRootLimitExceeded: "full",
  activeItemCreationLimitExceeded: "full",
  userRateLimitExceeded: "rate-limited",
  rateLimitExceeded: "rate-limited",
  dailyLimitExceeded: "rate-limited",
  sharingRateLimitExceeded: "rate-limited",
  uploadTooLarge: "unsupported",
};

const SENTENCES: Readonly<Record<ConnectorErrorKind, string>> = {
  unauthorized: "Google Drive no longer accepts our access: connect it again",
  forbidden: "Google Drive does not let us write this copy",
  gone: "Google Drive no longer has what this copy needs",
  "rate-limited": "Google Drive asks us to wait",
  unavailable: "Google Drive is not available",
  full: "There is no room left in this Google Drive",
  unsupported: "Google Drive refuses to keep this copy",
  malformed: "Google Drive gave an answer that is not known",
};

/** Turns an error response into a ConnectorError, quoting Drive's reason. */
export function readRefusal(answer: BytesAnswer, _call: BytesCall, nowMs: number): ConnectorError {
  const { status, headers } = answer;
  const reason = reasonOf(answer.text);
  const kind = (reason === null ? undefined : KIND_OF_REASON[reason]) ?? kindOfStatus(status);
  const said = reason === null ? "" : ` It said: ${reason}.`;
  const retryAt = kind === "rate-limited" ? { retryAt: retryTime(headers, nowMs) } : {};
  return new ConnectorError(kind, `${SENTENCES[kind]} (${status}).${said}`, { status, ...retryAt });
}

/** The reason of an error; null when the body is not a Drive error. */
function reasonOf(text: string): string | null {
  try {
    const body = JSON.parse(text) as { error?: { errors?: { reason?: unknown }[] } } | null;
    const reason = body?.error?.errors?.[0]?.reason;
    // Accept only names in Drive's format, never foreign text.
    return typeof reason === "string" && /^[A-Za-z]{1,60}$/.test(reason) ? reason : null;
  } catch {
    return null;
  }
}

function kindOfStatus(status: number): ConnectorErrorKind {
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  if (status === 404 || status === 410) return "gone";
  if (status === 429) return "rate-limited";
  if (status === 408 || status === 409 || status >= 500) return "unavailable";
  return status === 413 ? "unsupported" : "malformed";
}
