/**
 * A platform's dialect of the public API (spec part 2 section 7) as a table: which shared operation handles which path,
 * and the names of its fields. `workers/api` mounts it under `/api/{platform}`.
 */
export type SharedOperation =
  | "list-connections"
  /** Starts a connection on the platform's consent page. */
  | "connect-by-consent"
  /** Starts changing the account on the platform's consent page. */
  | "change-by-consent"
  /** Starts a connection to the named account. */
  | "connect-by-name"
  /** Switches to another account that the grant covers. */
  | "change-by-name"
  /** Lists the accounts that an authorisation offers to choose from. */
  | "list-account-candidates"
  /** Connects the chosen accounts. */
  | "choose-accounts"
  /** Connects the account of this name that the latest authorisation offers. */
  | "choose-account-by-name"
  /** Removes an account and all its backups. */
  | "remove-account"
  | "replace-token"
  | "set-auto-add"
  | "send-account-code"
  | "confirm-account"
  /** Lists every place of the account that can receive a restore. */
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
  /** The item kind that the path handles. */
  kind?: string;
  /** Our field → its name in this platform's API. Absent = the same name. */
  fields?: Readonly<Record<string, string>>;
  /**
   * Our name in the response → its name in this platform's API, for members of `result` and of the envelope, e.g.
   * `not_added` → `not_added_projects`. Absent = the same name.
   */
  answers?: Readonly<Record<string, string>>;
  /** For a path that handles several kinds at once: the API's name for the list of ids, by item kind. */
  lists?: Readonly<Record<string, string>>;
};

export type EndpointTable = Readonly<Record<`${"GET" | "POST" | "PUT" | "DELETE"} ${string}`, Endpoint>>;

/** Declares a dialect; the compiler checks it. */
export function defineEndpoints<const T extends EndpointTable>(table: T): T {
  return table;
}

/** Paths that every platform has besides its own table (spec part 2 section 7, "Generic and shared"). */
export const SHARED_ENDPOINTS = defineEndpoints({
  "GET backup-all-items-now": { does: "back-up-all-now" },
  "GET get-account-candidates": { does: "list-account-candidates", fields: { choiceId: "choice" } },
  "POST choose-accounts": { does: "choose-accounts", fields: { choiceId: "choice", externalIds: "ids" } },
  "DELETE remove-account": { does: "remove-account" },
});

/** Selects one of several connected accounts. Every path uses the same name for this field. */
const ACCOUNT_FIELD = { connectionId: "connection_id" };

/** A platform's complete dialect: the shared paths, overridden by its own table. */
export function dialectOf(table: EndpointTable): EndpointTable {
  return Object.fromEntries(
    Object.entries({ ...SHARED_ENDPOINTS, ...table }).map(([route, endpoint]: [string, Endpoint]) => [
      route,
      { ...endpoint, fields: { ...ACCOUNT_FIELD, ...endpoint.fields } },
    ]),
  );
}
