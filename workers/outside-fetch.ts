import { ConnectorError } from "#connectors/contract/connector-error.ts";

/** What a header's value may hold (RFC 9110 section 5.5) without the bytes beyond ASCII that it calls obsolete. */
const PLAIN = /^[\t\x20-\x7e]*$/;

/**
 * Asks an outside system; a redirect is returned, not followed. A header with other characters than ASCII's is not
 * sent: the runtime would take it and write its whole value into its log, where a token must never stand. workerd logs
 * "A header value for … contains non-ASCII characters", with the value in clear and in bytes.
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

/** The pairs as they were given: making a `Headers` of them would already write them into the log. */
function headerPairs(headers: RequestInit["headers"]): Iterable<readonly [string, string]> {
  if (headers === undefined) return [];
  if (headers instanceof Headers) return headers;
  if (Array.isArray(headers)) return headers as [string, string][];
  return Object.entries(headers as Record<string, string>);
}

const safeName = (name: string) => name.replace(/[^\w-]/g, "?").slice(0, 100);
