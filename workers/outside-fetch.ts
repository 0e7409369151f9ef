import { ConnectorError } from "#connectors/contract/connector-error.ts";

/** Valid header values (RFC 9110 section 5.5), without the obsolete bytes beyond ASCII. */
const PLAIN = /^[\t\x20-\x7e]*$/;

/**
 * Fetches from an outside system. Redirects are returned, not followed. A header with non-ASCII characters is rejected:
 * workerd would log "A header value for … contains non-ASCII characters" with the full value, and tokens must never be
 * logged.
 *
 * @throws ConnectorError `malformed`, naming the header and never its value
 */
export async function outsideFetch(url: string, init: RequestInit = {}): Promise<Response> {
  for (const [name, value] of headerPairs(init.headers)) {
    if (PLAIN.test(name) && PLAIN.test(value)) continue;
    const { host } = new URL(url);
    throw new ConnectorError("malformed", `The header ${safeName(name)} for ${host} holds no plain text.`);
  }
  return fetch(url, { redirect: "manual", ...init });
}

/** The raw pairs. Building a `Headers` object would already log the value. */
function headerPairs(headers: RequestInit["headers"]): Iterable<readonly [string, string]> {
  if (headers === undefined) return [];
  if (headers instanceof Headers) return headers;
  if (Array.isArray(headers)) return headers as [string, string][];
  return Object.entries(headers as Record<string, string>);
}

const safeName = (name: string) => name.replace(/[^\w-]/g, "?").slice(0, 100);
