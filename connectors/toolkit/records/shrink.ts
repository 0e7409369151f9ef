import type { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";

/** Each retry divides the size by at least this factor, so that a platform that is down gets only a few requests. */
const SHARE = 3;
/** Sizes that have failed this often are not tried again; a single failure may be temporary. */
const MOST_FAILURES = 2;

/** A piece of a list: a page, or part of a page that was too large. */
export type Piece<T> = {
  members: T[];
  /** URL of the next piece; null = the end. */
  next: string | null;
  /**
   * `offset`: members before this piece; `size`: requested members; `asked`: size of a full page. Null = the call
   * does not state a page size.
   */
  place: { offset: number; size: number; asked: number } | null;
};

/**
 * Reads a list with responses as large as the platform can produce.
 * @param from Number of members before the wanted piece; null = as the call says.
 */
export type Pager<T> = (call: HttpCall, from?: number | null) => Promise<Piece<T>>;

/**
 * Opens a list whose pages shrink on demand. A page that exceeds our size limit, or that the platform cannot produce
 * in time (GitHub ends requests after ten seconds, docs: troubleshooting the REST API, timeouts), is requested in
 * pieces. Later pages grow back to the original size. `per_page` sets the size of a page, `page` its position.
 *
 * @param first The first call of the list; pages grow back to its `per_page`.
 */
export function openPager<T>(client: HttpClient, schema: z.ZodType<T[]>, first: HttpCall): Pager<T> {
  const sizes = openSizes();
  return async (call, from = null) => {
    const window = windowOf(call);
    if (window === null) {
      const { value, next } = await client.page(call, schema);
      return { members: value, next, place: null };
    }
    const asked = windowOf(first)?.size ?? window.size;
    const offset = from ?? window.offset;
    return await sizes.try({ asked, offset: offset ?? 0 }, async (size) => {
      const { value, next } = await client.page(callFor(call, window, { offset, size }), schema);
      return { members: value, next, place: { offset: offset ?? 0, size, asked } };
    });
  };
}

/**
 * Requests as many things as the platform can return at once: if it times out or the response is too large, retries
 * with fewer.
 *
 * @param sizes What is known about the list's sizes; shared by all calls of a list.
 * @throws ConnectorError when it cannot return even one
 */
export async function askForFewer<T>(
  sizes: Sizes,
  most: number,
  ask: (count: number) => Promise<T>,
): Promise<T> {
  return await sizes.try({ asked: most, offset: 0 }, ask);
}

/** What is known about the sizes of one list. */
export type Sizes = {
  /** Calls `ask` with the requested size, or with smaller ones that divide the offset. */
  try<T>(piece: { asked: number; offset: number }, ask: (size: number) => Promise<T>): Promise<T>;
};

/** Starts without knowledge of a list's sizes. */
export function openSizes(): Sizes {
  let ceiling = Number.POSITIVE_INFINITY;
  const failures = new Map<number, number>();
  return {
    async try({ asked, offset }, ask) {
      const fitting = ladderOf(asked).filter((size) => offset % size === 0);
      for (const size of fitting.filter((each) => each <= ceiling)) {
        try {
          return await ask(size);
        } catch (error) {
          if (!isTooMuch(error)) throw error;
          if (size === 1) throw asRefusal(error);
          const count = (failures.get(size) ?? 0) + 1;
          failures.set(size, count);
          if (error.kind === "malformed" || count >= MOST_FAILURES) ceiling = Math.min(ceiling, size - 1);
        }
      }
      throw new ConnectorError("malformed", "A list has no piece of a single thing.");
    },
  };
}

/** Sizes from the largest to 1. Each divides the one before, so that a page splits into whole smaller pages. */
function ladderOf(asked: number): number[] {
  const ladder = [asked];
  for (let size = asked; size > 1; ladder.push(size)) {
    const most = Math.max(1, Math.floor(size / SHARE));
    size = largestDivisor(size, most);
  }
  return ladder;
}

function largestDivisor(number: number, most: number): number {
  for (let divisor = most; divisor > 1; divisor--) if (number % divisor === 0) return divisor;
  return 1;
}

/** Whether a smaller request may succeed: the response was too large, or the platform gave up on it. */
export function isTooMuch(error: unknown): error is ConnectorError {
  if (!(error instanceof ConnectorError)) return false;
  return error.isTooMuch || (error.kind === "unavailable" && (error.status ?? 0) >= 500);
}

/** A single thing that is too large stays too large, so the error is permanent. */
function asRefusal(error: ConnectorError): ConnectorError {
  return error.kind === "malformed"
    ? new ConnectorError("unsupported", error.message, { cause: error })
    : error;
}

type Window = { url: string; params: URLSearchParams; size: number; offset: number | null };

/** The part of a list that a call requests; null = it has no `per_page`. A URL without `page` has an unknown offset. */
function windowOf({ path, query = {} }: HttpCall): Window | null {
  const [url = "", search = ""] = path.split("?", 2);
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(query)) params.set(name, String(value));
  const size = wholeNumber(params.get("per_page"));
  if (size === null) return null;
  const page = wholeNumber(params.get("page"));
  const isFirst = page === null && search === "";
  return { url, params, size, offset: page === null && !isFirst ? null : ((page ?? 1) - 1) * size };
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

function callFor(
  call: HttpCall,
  { url, params, ...whole }: Window,
  { offset, size }: Pick<Window, "offset" | "size">,
): HttpCall {
  if (size === whole.size && offset === whole.offset) return call;
  const query = new URLSearchParams(params);
  query.set("per_page", String(size));
  if (offset !== null) query.set("page", String(offset / size + 1));
  return { ...call, path: `${url}?${query}`, query: {} };
}
