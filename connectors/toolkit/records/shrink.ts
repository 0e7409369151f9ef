import type { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";

/** Each smaller try asks for this share at most, so that a platform that is down is asked a few times only. */
const SHARE = 3;
/** A page that the platform could not give twice is not asked for again; what fails once may be a passing fault. */
const MOST_FAILURES = 2;

/** A piece of a list: a page, or a part of one that was too much at once. */
export type Piece<T> = {
  members: T[];
  /** Address of what follows; null = this was the end. */
  next: string | null;
  /**
   * Members before this piece, how many were asked for, and how many a whole page has; null = the call does not tell
   * how large its pages are.
   */
  place: { offset: number; size: number; asked: number } | null;
};

/**
 * Reads calls of one list, each answer as large as the platform can give it.
 * @param from Members before the piece that is wanted; null = as the call says.
 */
export type Pager<T> = (call: HttpCall, from?: number | null) => Promise<Piece<T>>;

/**
 * Opens a list whose pages shrink. A page that is longer than we take in, or that the platform cannot make in time
 * (GitHub ends what takes it more than ten seconds, docs: troubleshooting the REST API, timeouts), is asked for in
 * pieces; behind them pages grow to what was asked for first. `per_page` sets the size of a page, `page` its place.
 *
 * @param first The call that begins the list; pages grow back to its `per_page`.
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
 * Asks for as many as the platform can give at once: a question that it cannot answer in time, or at too great a
 * length, is asked again for fewer.
 *
 * @param sizes Kept from one question of a list to the next: what is known of the sizes.
 * @throws ConnectorError when it cannot give a single one
 */
export async function askForFewer<T>(
  sizes: Sizes,
  most: number,
  ask: (count: number) => Promise<T>,
): Promise<T> {
  return await sizes.try({ asked: most, offset: 0 }, ask);
}

/** What is known of the sizes of one list. */
export type Sizes = {
  /** Asks for as many as were asked for, or for fewer: pages of the size then begin at the offset. */
  try<T>(piece: { asked: number; offset: number }, ask: (size: number) => Promise<T>): Promise<T>;
};

/** Knows nothing of a list's sizes yet. */
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

/** Sizes from the largest to 1, each a part of the one before: a page of one is so many pages of the next. */
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

/** Whether less may be had: the answer was too long, or the platform gave up over it. */
export function isTooMuch(error: unknown): error is ConnectorError {
  if (!(error instanceof ConnectorError)) return false;
  return error.isTooMuch || (error.kind === "unavailable" && (error.status ?? 0) >= 500);
}

/** One thing alone that is too long will be so at every attempt. */
function asRefusal(error: ConnectorError): ConnectorError {
  return error.kind === "malformed"
    ? new ConnectorError("unsupported", error.message, { cause: error })
    : error;
}

type Window = { url: string; params: URLSearchParams; size: number; offset: number | null };

/** Which part of a list a call asks for; null = it does not say. Without `page` an address names its own place. */
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
