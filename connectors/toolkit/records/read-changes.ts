import type { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import { openPager, type Piece } from "./shrink.ts";

/** A list that is sorted by the time of the last change, oldest first, and can start at a given time. */
export type ChangeList<T> = {
  /** The call for everything changed at `since` or later (null = everything). Pages are counted from 1. */
  call: (since: string | null, page: number) => HttpCall;
  schema: z.ZodType<T[]>;
  idOf: (member: T) => string;
  /** ISO time of the last change. */
  changedAt: (member: T) => string;
};

/** The position after a page. */
export type ChangePosition = { since: string | null; page: number };

export type ChangePage<T> = {
  members: T[];
  /** The position of the next page; null = this was the last one. */
  position: ChangePosition | null;
  /** Time of the latest change seen so far. Everything older has been seen, so the next backup starts here. */
  newest: string | null;
};

/** Changes may become visible slightly later than their timestamps. */
const OVERLAP_MS = 5 * 60_000;
const MOST_TIES = 10_000;

/**
 * Reads everything that has changed since a time, or the whole list. Each page starts at the time where the previous
 * one ended, not at a page number: a thing that changes meanwhile moves to the end and is read again there, and a
 * deletion does not shift other things across a page boundary. Page numbers are used only among things of the same
 * second.
 */
export async function* readChanges<T>(
  client: HttpClient,
  list: ChangeList<T>,
  from: { mark: string | null; position: ChangePosition | null },
): AsyncGenerator<ChangePage<T>, void> {
  let position = from.position ?? { since: withOverlap(from.mark), page: 1 };
  let newest = from.position === null ? from.mark : later(from.mark, from.position.since);
  let edge = new Set<string>();
  const read = openPager(client, list.schema, list.call(position.since, 1));
  /** Offset of the next piece, if things of the same second are read in pieces; null = the page's own offset. */
  let offset: number | null = null;
  for (;;) {
    const call = list.call(position.since, position.page);
    const { members: value, next, place }: Piece<T> = await read(call, offset);
    const members = value.filter((member) => !edge.has(list.idOf(member)));
    edge = new Set(value.map(list.idOf));
    for (const member of value) newest = later(newest, list.changedAt(member));
    const last = value.at(-1);
    if (next === null || last === undefined) {
      yield { members, position: null, newest };
      return;
    }
    const isTie = list.changedAt(last) === position.since;
    if (isTie && position.page > MOST_TIES) {
      throw new ConnectorError("malformed", `The list of ${call.about} does not end.`);
    }
    // The list is not sorted as requested; going back in time would loop.
    if (position.since !== null && Date.parse(list.changedAt(last)) < Date.parse(position.since)) {
      throw new ConnectorError("malformed", `The list of ${call.about} is not in the order of its changes.`);
    }
    if (!isTie) {
      position = { since: list.changedAt(last), page: 1 };
      offset = null;
    } else if (place === null) position = { ...position, page: position.page + 1 };
    else {
      offset = place.offset + place.size;
      // A position refers to whole pages: after resuming within one, its pieces are read again.
      position = { ...position, page: Math.floor(offset / place.asked) + 1 };
    }
    yield { members, position, newest };
  }
}

function withOverlap(mark: string | null): string | null {
  return mark === null ? null : new Date(Date.parse(mark) - OVERLAP_MS).toISOString().replace(/\.\d+Z$/, "Z");
}

/** The later of two ISO times. */
function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(other) > Date.parse(one) ? other : one;
}
