import type { Call, Ids } from "./security-world.ts";

/** Who may make a call. Each value is a promise of the product; the tests check every route against it. */
export type May =
  /** With or without a session. */
  | "everyone"
  /** Everyone who is signed in. */
  | "members"
  /** Members with any role on the platform. */
  | "users"
  /** The owner, and members with the role admin on the platform. */
  | "managers"
  | "owner";

/** The policy of one route. */
export type Line = {
  may: May;
  /** Statuses for a permitted actor with its own ids. */
  ok: number | readonly number[];
  /** The ids in the call. Each of them is tried with a foreign and with a missing id. */
  ids?: readonly (keyof Ids)[];
  /** The status of such a try for a permitted actor. A call for many ids at once skips unknown ids and returns 200. */
  foreign?: number;
  /** Fields that look like ids but refer to nothing in an organisation, e.g. a platform's own ids. */
  notOurs?: readonly string[];
  /** Builds the call with these ids. Absent = the bare route. */
  send?: (ids: Ids) => Partial<Pick<Call, "query" | "body" | "path" | "headers">>;
  /** True for a route whose access does not depend on a role. It has its own test. */
  isTriedApart?: true;
};
