import type { Json } from "#core/kernel/canonical-json.ts";
import type { Page, PageRequest } from "#core/kernel/page.ts";
import type { BoardView } from "./board-view.ts";
import type { PlatformDescriptor } from "./descriptor.ts";
import type { FileTree } from "./file-tree.ts";
import type { RestorePlan } from "./restore-plan.ts";
import type { ByteSink, SnapshotView } from "./snapshot-view.ts";

/** Configuration of a connector: its part of the environment, parsed by its own schema in `authorize.ts`. */
export type ConnectorConfig = Readonly<Record<string, string>>;

/** What the engine hands a connector for every conversation with the platform. */
export type Session = {
  config: ConnectorConfig;
  /** Plain HTTP; already counted against the slice's sub-request budget. Redirects are not followed. */
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /**
   * A valid access token; renewed by one flight per connection. `refused` is a token that the platform has just
   * answered 401 to: it is renewed now, unless another flight has replaced it already.
   * @throws ConnectorError `unauthorized`
   */
  accessToken: (refused?: string) => Promise<string>;
  /**
   * Asks leave for `points` requests of a quota; waits briefly or throws ConnectorError `rate-limited` with the time.
   * `quota` is the `resource` that reports name; absent = the one of answers that name none. Of declared quotas, those
   * that are not named are drawn on by every call.
   */
  spend: (points: number, quota?: string) => Promise<void>;
  /** Tells what the platform answered about its limits. */
  report: (limits: RateLimitReport) => Promise<void>;
  clock: { now(): number };
  /** Resolves after the time; handed in so that tests need not wait. */
  sleep: (ms: number) => Promise<void>;
  /** Settings of the connection that the connector itself stored at authorisation, e.g. installation ids. */
  connectionDetails: Json;
  /** The login or name of the connected account. */
  accountName: string;
};

/** The quota of answers that name none. */
export const GENERAL_QUOTA = "core";

/** What response headers say about the quota. `resource` separates quotas that the platform counts apart. */
export type RateLimitReport = {
  resource: string;
  remaining: number | null;
  resetAt: number | null;
  retryAt: number | null;
};

/** A quota that the platform keeps without telling of it in its answers, so that we count ourselves. */
export type Quota = {
  /** Unique among the quotas of the platform; reports and named calls speak of it by this word. */
  resource: string;
  /** `app`: all customers draw on it, because they come with our key. `account`: each account has its own. */
  owner: "app" | "account";
  /** Requests in any stretch of `perMs` milliseconds. */
  points: number;
  perMs: number;
  /** Only calls that name it draw on it. Absent = every call does. */
  isNamed?: boolean;
};

/** A person's or organisation's space that holds items. */
export type PlatformPlace = {
  externalId: string;
  nodeId: string | null;
  name: string;
  type: "User" | "Organization";
  /**
   * What a restore may do there. `partly` = it creates the new item, but the platform keeps from the account what only an
   * owner may set; `no` = it may create nothing. Absent = everything.
   */
  restores?: "partly" | "no";
};

/** An item as the platform offers it. */
export type PlatformItem = {
  kind: string;
  externalId: string;
  nodeId: string | null;
  /** Short name, e.g. `api-gateway`. */
  name: string;
  /** Name including its place as the platform's API wants it, e.g. `octo-org/api-gateway`. */
  fullName: string;
  description: string | null;
  visibility: "private" | "public" | "internal";
  /** Size that the platform reports, in bytes; a hint for planning. */
  sizeHintBytes: number | null;
  /** The platform's id of the place it lies in, where places are added one by one; absent = it lies in none. */
  placeExternalId?: string;
  /** Peculiar facts, validated by the connector. */
  details: Json;
};

/** What `backUp` yields. Order is stable: equal content gives equal entries. */
export type BackupEvent =
  | { type: "progress"; progress: Progress }
  /** One thing as JSON. An unchanged record costs nothing. */
  | { type: "record"; path: string; kind: string; title?: string; parent?: string; value: Json }
  /**
   * Bytes of unknown size. The engine calls `write` exactly once, before it asks for the next event; when it
   * throws, the upload is aborted. `report` takes progress while bytes flow.
   * With `optional: true` a stream of zero bytes is left out of the snapshot.
   */
  | {
      type: "stream";
      path: string;
      kind: string;
      title?: string;
      parent?: string;
      /** The SHA-256 the platform already promises; a mismatch fails the run, unless `ifBroken` is given. */
      expectedHash?: string;
      /** With a mismatch the entry is left out as skipped, for this reason, and the run goes on. */
      ifBroken?: string;
      write: (sink: ByteSink, report?: (progress: Progress) => void) => Promise<void>;
      optional?: boolean;
    }
  /** Takes an entry of the previous snapshot over unchanged. */
  | { type: "keep"; path: string }
  /** Takes every entry below the prefix over; later events with the same path win, `drop` removes one. */
  | { type: "keep-all"; prefix: string }
  | { type: "drop"; path: string }
  /** Something that could not be read, and why; kept with the version and shown. */
  | { type: "skipped"; path: string; kind: string; reason: string }
  /** Counts that the platform itself reports, for the completeness record. */
  | { type: "reported"; kind: string; count: number }
  /** A point like a checkpoint that costs nothing: the engine stores it only when the run has to stop after it. */
  | { type: "offer"; cursor: Json }
  /**
   * A point from which a later slice may go on; the engine stores everything before it first. Its cursor is never null, and
   * tells its version (`storedJson`): the slice that reads it may be of a later release.
   */
  | { type: "checkpoint"; cursor: Json };

export type Progress = {
  /** A word for people: "Listing branches", "Receiving objects". */
  phase: string;
  done: number;
  /** null while the platform has not told. */
  total: number | null;
  unit: "objects" | "bytes" | "items" | "refs" | "requests";
};

export type BackupOrder = {
  /** The item as `getItem` has told it at the start of this slice. */
  item: PlatformItem;
  /** The last good snapshot of the item, if any. */
  previous: SnapshotView | null;
  /** Where an interrupted run stopped, if this is its continuation. */
  cursor: Json | null;
  /**
   * Whether a passing fault now would end the run: the point at which a version does without what it can do without.
   * Asked when the fault is there, since a checkpoint in between gives new attempts. Absent = the run is tried again.
   */
  isLastAttempt?: () => boolean;
};

/** Where a restore goes: always a new item. */
export type RestoreTarget = { name: string; place: PlatformPlace | null; options: Json };

/** One part of a snapshot, by the path of its entry, and where it goes. */
export type PartRestore = {
  path: string;
  into:
    | { kind: "new"; target: RestoreTarget }
    | { kind: "existing"; item: { externalId: string; name: string; fullName: string } };
};

/** Remembers what a restore has already created, so that a replay continues and never duplicates. */
export interface RestoreJournal {
  /** What was recorded under the key, or null. */
  find(key: string): Promise<Json | null>;
  /** Records durably before it resolves. Recording the same key again replaces the value. */
  record(key: string, value: Json): Promise<void>;
}

export type RestoreEvent =
  | { type: "progress"; progress: Progress }
  | { type: "restored"; kind: string; count: number }
  /** Came back in another form than it was. */
  | { type: "changed"; what: string; reason: string }
  /** The platform has no way to take it back, so the plan told it too. A note: nobody expected it. */
  | { type: "impossible"; what: string; reason: string }
  /** Should have come back and did not: the platform refused it, or the version lacks it. The restore is incomplete. */
  | { type: "missing"; what: string; reason: string }
  /** Came back under another number or id; told only where it differs. `url` is the page of the new one. */
  | { type: "mapped"; kind: string; from: string; to: string; url: string | null }
  /** Further lines of one of the four kinds above, which the connector could not keep: a report tells how many. */
  | { type: "unlisted"; list: "changed" | "impossible" | "missing" | "mapped"; count: number }
  /**
   * A moment at which all that was created is journaled. A later slice may take over here: it calls `restore` anew with
   * the same journal, and every event of the report is yielded again.
   */
  | { type: "checkpoint" };

export type RestoredItem = {
  externalId: string;
  nodeId: string | null;
  name: string;
  fullName: string;
  webUrl: string;
};

export type VerifyEvent =
  | { type: "progress"; progress: Progress }
  /** A file derived from an entry, e.g. `.idx`; stored beside the vault object of that entry. */
  | { type: "companion"; path: string; name: string; write: (sink: ByteSink) => Promise<void> }
  /**
   * Temporary bytes of this check, such as the state of half-done work; the same name again replaces them. They are
   * found in `VerifyOrder.readScratch` from the next checkpoint on, and gone when the check ends.
   */
  | { type: "scratch"; name: string; write: (sink: ByteSink) => Promise<void> }
  /** A sentence for people: what is wrong with this version. */
  | { type: "problem"; path: string; message: string }
  /** A sentence for people: what is whole, byte for byte, but could not be looked into, and why. */
  | { type: "unproven"; path: string; message: string }
  /**
   * A sentence for people: what the version lacks because its backup did not know of it, and the next one will. That one
   * is made at once where this version is the newest.
   */
  | { type: "overlooked"; path: string; message: string }
  /** Facts found on the way, e.g. LFS pointers. */
  | { type: "found"; kind: string; count: number }
  | { type: "checkpoint"; cursor: Json };

/** What a deep check is given. */
export type VerifyOrder = {
  /** Where an interrupted check stopped, if this is its continuation. */
  cursor: Json | null;
  /** Temporary bytes that the check left under the name, or null. */
  readScratch: (name: string) => AsyncIterable<Uint8Array> | null;
  /** True = store what is needed to go on and yield a checkpoint soon. */
  isOver: () => boolean;
};

/** One file of the open ZIP and of the clone URL. Sources are read lazily; the layout is a pure function of them. */
export type ExportFile =
  | { path: string; source: "entry"; entry: string }
  | { path: string; source: "companion"; entry: string; name: string }
  | { path: string; source: "bytes"; bytes: Uint8Array }
  | { path: string; source: "directory" };

/** One git repository inside a snapshot that can be cloned by dumb HTTP: its files relative to its root. */
export type CloneRoot = { name: string; files: AsyncIterable<ExportFile> };

/** What the authorisation ends with. Secrets are sealed by the engine before they are stored. */
export type Grant = {
  accessToken: string;
  /** Epoch milliseconds; null = does not expire. */
  accessTokenExpiresAt: number | null;
  refreshToken: string | null;
  account: { externalId: string; nodeId: string | null; name: string; type: "User" | "Organization" };
  /** Stored as `connectionDetails`. A text under `fullName` is shown as the name of whose account it is. */
  details: Json;
};

/** What an authorisation needs besides a session. */
export type AuthorisationIo = {
  config: ConnectorConfig;
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  clock: { now(): number };
};

/** What became of looking an account up by its name. */
export type AccountAnswer =
  /** The grant reaches it. `isOwn` = it is the account that gave the grant. */
  | { kind: "found"; account: Grant["account"]; isOwn: boolean }
  /** It is there and the platform was told of us, but does not let us in yet. */
  | { kind: "delayed"; account: Grant["account"]; isOwn: boolean }
  /** The platform's app is not installed there, or there is no such account. */
  | { kind: "missing" };

export interface PlatformAuthoriser {
  /** The consent page to send the browser to. PKCE: `codeChallenge` is S256 of the verifier. */
  consentUrl(
    config: ConnectorConfig,
    request: {
      state: string;
      codeChallenge: string;
      redirectUri: string;
      /** The account that should be proposed there, where the platform can. */
      accountHint?: string;
    },
  ): string;
  /** Where the platform's app is installed on an account; absent = there is no such app. */
  installUrl?(config: ConnectorConfig): string;
  /** Reads who a token given by hand belongs to; absent = the platform knows no such tokens. @throws ConnectorError */
  readToken?(io: AuthorisationIo, accessToken: string): Promise<Grant>;
  /** Trades the code for tokens and learns who it is. @throws ConnectorError */
  exchange(
    io: AuthorisationIo,
    answer: { code: string; codeVerifier: string; redirectUri: string },
  ): Promise<Grant>;
  /** Trades the refresh token. @throws ConnectorError `unauthorized` when it is no longer accepted */
  refresh(
    io: AuthorisationIo,
    refreshToken: string,
  ): Promise<{ accessToken: string; accessTokenExpiresAt: number | null; refreshToken: string | null }>;
}

/** Words for the kinds of entries, by kind. */
export type EntryKinds = Readonly<Record<string, { one: string; many: string }>>;

/** What the engine asks of any platform. Implementations know nothing of D1, R2, plans or React. */
export interface PlatformConnector {
  descriptor: PlatformDescriptor;
  /** The version of the platform's API that is spoken; each version of an item keeps it with what it holds. */
  apiVersion: string;
  /** What the kinds of entries in a version are called, in display order. A kind without words is not shown. */
  entryKinds: EntryKinds;
  /** The platform's own words for who may see an item, for clients of the API; absent = it has none but ours. */
  permissionLevels?: Readonly<Record<PlatformItem["visibility"], string>>;
  /** Quotas that the platform does not tell of. Absent = its answers say what is left. */
  quotas?: readonly Quota[];
  authoriser: PlatformAuthoriser;
  /** Looks an account up by name that the grant may protect; absent = accounts are chosen on the consent page alone. */
  findAccount?(session: Session, name: string): Promise<AccountAnswer>;
  /** Places that the account could bring in, its own first. */
  listPlaces(session: Session, page: PageRequest): Promise<Page<PlatformPlace>>;
  /**
   * Items of one place, which is told by its `externalId`; `name` filters by substring where the platform or the connector
   * can.
   */
  listItems(
    session: Session,
    query: PageRequest & { kind: string; place: PlatformPlace | null; name: string | null },
  ): Promise<Page<PlatformItem>>;
  /** One item as it is now. @throws ConnectorError `gone` when it was deleted */
  getItem(
    session: Session,
    reference: { kind: string; externalId: string; fullName: string },
  ): Promise<PlatformItem>;
  /** Web page of an item. */
  webUrl(config: ConnectorConfig, item: { kind: string; fullName: string }): string;
  /**
   * Yields what the item holds now, from `order.cursor` on.
   * @throws UnreadableCursorError for a cursor that this connector does not understand, and begins nothing by itself: the
   *   engine drops the cursor with what is stored so far and starts the run again. ConnectorError
   */
  backUp(session: Session, order: BackupOrder): AsyncIterable<BackupEvent>;
  /**
   * Deep check of a stored snapshot: no conversation with the platform. Absent = the engine's own check
   * (every byte opened and hashed) is all there is. @throws UnreadableCursorError as `backUp` does
   */
  verify?(snapshot: SnapshotView, order: VerifyOrder): AsyncIterable<VerifyEvent>;
  /** The files of the open ZIP, in the order in which they are best read. */
  exportFiles(snapshot: SnapshotView, item: { name: string }): AsyncIterable<ExportFile>;
  /** Repositories inside the snapshot that plain git may clone. */
  cloneRoots?(snapshot: SnapshotView): Promise<CloneRoot[]>;
  /** Trees of files inside the snapshot, for reading one file without the rest. The first is the main one. */
  fileTrees?(snapshot: SnapshotView): Promise<FileTree[]>;
  /** The snapshot as a board of columns and cards, where people know the item as one. */
  boardView?(snapshot: SnapshotView): BoardView;
  /**
   * What `restore` would do with the same version and target, without asking the platform. Cheap whatever the size: it
   * goes by the version's counts and looks at a bounded number of records. @throws ConnectorError as `restore` would
   */
  planRestore(
    account: Pick<Session, "accountName">,
    snapshot: SnapshotView,
    target: RestoreTarget,
  ): Promise<RestorePlan>;
  /**
   * What `restorePart` would do, as `planRestore` tells of a whole item. @throws ConnectorError `unsupported` for an entry
   * that cannot be given back by itself
   */
  planPart?(
    account: Pick<Session, "accountName">,
    snapshot: SnapshotView,
    order: PartRestore,
  ): Promise<RestorePlan>;
  /**
   * Gives one part of a snapshot back, into a new item or into one that exists. There it only adds: nothing that exists is
   * changed, moved or taken away. Ends by returning what people will look for: the part, or the item that holds it.
   */
  restorePart?(
    session: Session,
    snapshot: SnapshotView,
    order: PartRestore,
    journal: RestoreJournal,
  ): AsyncGenerator<RestoreEvent, RestoredItem>;
  /** Creates a NEW item and never touches the original. Ends by returning what was created. */
  restore(
    session: Session,
    snapshot: SnapshotView,
    target: RestoreTarget,
    journal: RestoreJournal,
  ): AsyncGenerator<RestoreEvent, RestoredItem>;
}
