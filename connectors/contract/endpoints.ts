/**
 * A platform's dialect of the public API (spec part 2 section 7) as a table: which shared operation answers
 * which path, and how its fields are called there. The doors mount it under `/api/{platform}`.
 */
export type SharedOperation =
  | "list-connections"
  | "list-places"
  | "list-available-places"
  | "add-places"
  | "list-available-items"
  | "list-items"
  | "add-items"
  | "delete-items"
  | "back-up-now"
  | "back-up-all-now"
  | "restore-items"
  | "request-zip"
  | "set-daily-backup";

export type Endpoint = {
  does: SharedOperation;
  /** Item kind that the path speaks of. */
  kind?: string;
  /** Our field → the name on this platform's wire. Absent = the same name. */
  fields?: Readonly<Record<string, string>>;
};

export type EndpointTable = Readonly<Record<`${"GET" | "POST" | "PUT" | "DELETE"} ${string}`, Endpoint>>;

/** Declares a dialect; the compiler checks it. */
export function defineEndpoints<const T extends EndpointTable>(table: T): T {
  return table;
}
