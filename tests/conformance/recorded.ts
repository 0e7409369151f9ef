import { readContract } from "./contracts.ts";

/** A recorded response of the real service. */
export type RecordedExchange = {
  /** The test and step of the recording. */
  source: string;
  request: { method: string; url: string; body?: unknown; accept?: string };
  response: { status: number; headers: Record<string, string | string[]>; body: unknown };
};

/** A filter for exchanges. Absent fields match everything. */
export type RecordedFilter = { method?: string; url?: RegExp; status?: number | readonly number[] };

/**
 * Real responses of a platform, for replaying through our parsers. Times in some headers are templates of the recording
 * tool; they are filled in relative to `now`.
 * @throws when the contracts are missing: guard with `contractsAreAbsent`
 */
export function recordedExchanges(
  system: "github",
  filter: RecordedFilter = {},
  now: number = Date.now(),
): RecordedExchange[] {
  const all = readContract(`${system}/recorded.json`) as RecordedExchange[];
  const statuses = filter.status === undefined ? null : [filter.status].flat();
  return all
    .filter(
      ({ request, response }) =>
        (filter.method === undefined || request.method === filter.method) &&
        (filter.url === undefined || filter.url.test(request.url)) &&
        (statuses === null || statuses.includes(response.status)),
    )
    .map((exchange) => fillIn(exchange, now) as RecordedExchange);
}

/** The exchange's response as `fetch` returns it. */
export function asResponse({ response }: RecordedExchange): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    if (name !== "status") for (const one of [value].flat()) headers.append(name, one);
  }
  const isBodiless = [101, 204, 205, 304].includes(response.status);
  const text = typeof response.body === "string" ? response.body : JSON.stringify(response.body);
  return new Response(isBodiless ? null : text, { status: response.status, headers });
}

function fillIn(value: unknown, now: number): unknown {
  if (typeof value === "string") return value.includes("{{") ? fillTemplates(value, now) : value;
  if (Array.isArray(value)) return value.map((inner) => fillIn(inner, now));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillIn(inner, now)]));
}

const UNIT_MS: Record<string, number> = { seconds: 1_000, minutes: 60_000, hours: 3_600_000 };

function fillTemplates(text: string, now: number): string {
  return text
    .replace(/\{\{request\.host\}\}/g, "api.github.com")
    .replace(/\{\{request\.port\}\}/g, "443")
    .replace(/\{\{(?:now|testStartDate) offset='(\d+) (\w+)'([^}]*)\}\}/g, (_, count, unit, rest) => {
      const at = now + Number(count) * (UNIT_MS[unit] ?? 0);
      return String(rest).includes("format='unix'")
        ? String(Math.floor(at / 1_000))
        : new Date(at).toUTCString();
    });
}
