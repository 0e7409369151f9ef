import type { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import { openPager, type Piece } from "./shrink.ts";

/** A list that is sorted by the time of the last change, oldest first, and can begin at a time. */
export type ChangeList<T> = {
  /** The call for everything changed at `since` or later (null = everything), the page counted from 1. */
  call: (since: string | null, page: number) => HttpCall;
  schema: z.ZodType<T[]>;
  idOf: (member: T) => string;
  /** ISO time of the last change. */
  changedAt: (member: T) => string;
};

/** Where the reading of changes stands after a page. */
export type ChangePosition = { since: string | null; page: number };

export type ChangePage<T> = {
  members: T[];
  /** Where to go on behind this page; null = it was the last one. */
  position: ChangePosition | null;
  /** The newest change seen so far: everything older has been seen, so the next backup begins here. */
  newest: string | null;
};

/** Changes may become visible a little later than their time says. */
const OVERLAP_MS = 5 * 60_000;
const MOST_TIES = 10_000;

/**
 * Reads what has changed since a time, or everything. Each page begins at the time where the one before ended instead
 * of at a page number: a thing that changes meanwhile moves to the end and is read again there, and one that is
 * deleted moves no other over the edge of a page. Page numbers are used only among things of the same second.
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
  /** Where the next piece begins, among things of the same second that came in pieces; null = at its page. */
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
    // A time that goes back would lead in a circle: the list is not sorted as it was asked for.
    if (position.since !== null && Date.parse(list.changedAt(last)) < Date.parse(position.since)) {
      throw new ConnectorError("malformed", `The list of ${call.about} is not in the order of its changes.`);
    }
    if (!isTie) {
      position = { since: list.changedAt(last), page: 1 };
      offset = null;
    } else if (place === null) position = { ...position, page: position.page + 1 };
    else {
      offset = place.offset + place.size;
      // A position names whole pages: whoever goes on in the middle of one reads its pieces again.
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
