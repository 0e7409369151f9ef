/**
 * A platform's dialect of the public API (spec part 2 section 7) as a table: which shared operation answers
 * which path, and how its fields are called there. The doors mount it under `/api/{platform}`.
 */
export type SharedOperation =
  | "list-connections"
  /** Begins connecting on the platform's consent page. */
  | "connect-by-consent"
  /** Begins changing the account on the platform's consent page. */
  | "change-by-consent"
  /** Begins connecting the account that is named. */
  | "connect-by-name"
  /** Changes the account to another one that the grant reaches. */
  | "change-by-name"
  | "replace-token"
  | "set-auto-add"
  | "send-account-code"
  | "confirm-account"
  /** Every place of the account into which a restore may go. */
  | "list-restore-places"
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
  /**
   * Our name in the answer → the name on this platform's wire, for members of `result` and those beside it, e.g.
   * `not_added` → `not_added_projects`. Absent = the same name.
   */
  answers?: Readonly<Record<string, string>>;
  /** For a path that serves several kinds at once: the wire's name of the list of ids, by item kind. */
  lists?: Readonly<Record<string, string>>;
};

export type EndpointTable = Readonly<Record<`${"GET" | "POST" | "PUT" | "DELETE"} ${string}`, Endpoint>>;

/** Declares a dialect; the compiler checks it. */
export function defineEndpoints<const T extends EndpointTable>(table: T): T {
  return table;
}

/** Paths that every platform has besides its own table (spec part 2 section 7, "Generic and shared"). */
export const SHARED_ENDPOINTS = defineEndpoints({ "GET backup-all-items-now": { does: "back-up-all-now" } });

/** A platform's whole dialect: the shared paths, and its own table, which wins. */
export function dialectOf(table: EndpointTable): EndpointTable {
  return { ...SHARED_ENDPOINTS, ...table };
}
