import type { z } from "zod";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { ItemSubject } from "./item-marks.ts";

/** Members of a row of the public API, by name on the wire. */
export type Facts = Readonly<Record<string, Json>>;

/** A view for a row of the public API. Screens get the view without the facts. */
export type WithFacts<View> = View & { facts: Facts };

/** Removes the facts from a view that is sent to a screen. */
export function withoutFacts<View extends { facts: Facts }>({
  facts: _,
  ...view
}: View): Omit<View, "facts"> {
  return view;
}

/**
 * Members that only one platform's rows have on the public API, such as GitHub's `node_id` (spec part 2 section 3).
 * `workers/api` adds them to the members of every row and refuses to start if one has the name of such a member. `of`
 * never throws: an earlier release may have stored the details, so unknown details give default values.
 */
export type RowFacts<Subject> = {
  /** Types of the members, for OpenAPI. */
  schema: z.ZodObject;
  of(subject: Subject): Facts;
};

/** The facts of a platform by type of row; absent = none. */
export type PlatformRowFacts = {
  account?: RowFacts<AccountSubject>;
  place?: RowFacts<PlaceSubject>;
  item?: RowFacts<ItemSubject>;
};

/** The part of a connected account from which facts are derived. */
export type AccountSubject = {
  /** Our id, by which requests name the account. */
  id: string;
  name: string;
  type: string;
  details: Json;
  /** The account whose grant is used. */
  grantName: string;
  /** The methods whose credentials work, the preferred one first. */
  authMethods: readonly string[];
  /** The platform's app was removed from the account. */
  isAppMissing: boolean;
};

export type PlaceSubject = { type: string; details: Json };

/** Declares facts. The compiler checks the result of `of` against the schema. */
export function defineRowFacts<Schema extends z.ZodObject, Subject>(
  schema: Schema,
  of: (subject: Subject) => z.output<Schema> & Facts,
): RowFacts<Subject> {
  return { schema, of };
}
