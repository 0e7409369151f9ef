import type { Json } from "#core/kernel/canonical-json.ts";
import type { Page, PageRequest } from "#core/kernel/page.ts";
import type { Coverage } from "./coverage.ts";
import type { PlatformDescriptor } from "./descriptor.ts";
import type { ItemMarks, ItemSubject } from "./item-marks.ts";
import type { ConnectorOperation } from "./operations.ts";
import type { PeopleReporting, PersonNews } from "./people.ts";
import type { RestorePlan } from "./restore-plan.ts";
import type { RestoreAnswers, RestoreQuestion } from "./restore-question.ts";
import type { PlatformRowFacts } from "./row-facts.ts";
import type { ConnectorConfig, Session } from "./session.ts";
import type { ByteSink, SnapshotView } from "./snapshot-view.ts";
import type { View } from "./view.ts";
import type { PlatformWebhook } from "./webhook.ts";

export { GENERAL_QUOTA, type RateLimitReport } from "./session.ts";
export type { ConnectorConfig, Session };

/**
 * A quota that we count ourselves, because responses do not report it, or do not report when it is full again. If they
 * report what is left, the count follows when others have used more.
 */
export type Quota = {
  /** Unique among the platform's quotas; `RateLimitReport.resource` and `Session.spend` use this name. */
  resource: string;
  /** `app`: shared by all customers, because it belongs to our key. `account`: each account has its own. */
  owner: "app" | "account";
  /** Requests allowed in any window of `perMs` milliseconds. */
  points: number;
  perMs: number;
  /** Only calls that name this quota draw on it. Absent = every call does. */
  isNamed?: boolean;
};

/** A container of items at the platform: a user, an organisation, a group, a workspace. */
export type PlatformPlace = {
  externalId: string;
  name: string;
  /** The platform's own type, e.g. "Organization", "group". Empty when only the id is known. */
  type: string;
  /** True = the account's own place. It has the id of the account. */
  isOwn: boolean;
  /**
   * What a restore may do in this place. `partly` = it creates the new item, but cannot apply the settings that only
   * an owner may change; `no` = it cannot create anything. Absent = everything.
   */
  restores?: "partly" | "no";
  /** Platform-specific facts, validated by the connector. */
  details: Json;
};

/** An item as the platform describes it. */
export type PlatformItem = {
  kind: string;
  externalId: string;
  /** Short name, e.g. `api-gateway`. */
  name: string;
  /** Name including its place, as the platform's API expects it, e.g. `octo-org/api-gateway`. */
  fullName: string;
  description: string | null;
  /** Size in bytes as reported by the platform; an estimate for planning. */
  sizeHintBytes: number | null;
  /** The platform's id of the item's place, if places are added one by one. Absent = no place. */
  placeExternalId?: string;
  /** Platform-specific facts, validated by the connector. `marksOf` and `rowFacts` read them. */
  details: Json;
};

/** A version whose parts may be older than itself. `takenAt`: when its reading began, epoch ms. */
type UndatedOrder = { kind: string; externalId: string; takenAt: number };

/** Kinds that are not read in every backup. */
export type UndatedKinds = {
  /** What they are, in words that begin a sentence, e.g. "Projects and settings". */
  what: string;
  /** They are read again at least once in so many days. */
  mostDays: number;
  /** What the version holds of them was read at this time or later, epoch ms. */
  notBefore: number;
};

/** Events of `backUp`. The order is stable: equal content gives equal entries. */
export type BackupEvent =
  | { type: "progress"; progress: Progress }
  /** One record. An unchanged record costs no storage. */
  | { type: "record"; path: string; kind: string; title?: string; parent?: string; value: Json }
  /**
   * Bytes of unknown size. The engine calls `write` exactly once, before it requests the next event. If `write`
   * throws, the engine aborts the upload. `report` takes progress while bytes flow. With `optional: true` an empty
   * stream is left out of the snapshot.
   */
  | {
      type: "stream";
      path: string;
      kind: string;
      title?: string;
      parent?: string;
      /** The SHA-256 that the platform announces. A mismatch fails the run, unless `ifBroken` is set. */
      expectedHash?: string;
      /** On a mismatch the entry is skipped with this reason and the run continues. */
      ifBroken?: string;
      write: (sink: ByteSink, report?: (progress: Progress) => void) => Promise<void>;
      optional?: boolean;
    }
  /** Keeps an entry of the previous snapshot unchanged. */
  | { type: "keep"; path: string }
  /** Keeps all previous entries below the prefix. Later events with the same path win; `drop` removes an entry. */
  | { type: "keep-all"; prefix: string }
  | { type: "drop"; path: string }
  /** Something that could not be read, and why. Stored with the version and shown to the user. */
  | { type: "skipped"; path: string; kind: string; reason: string }
  /** Counts reported by the platform, for the completeness record. */
  | { type: "reported"; kind: string; count: number }
  /** A possible checkpoint. The engine stores it only if the run has to stop after it. */
  | { type: "offer"; cursor: Json }
  /**
   * A point from which a later slice can continue; the engine first stores everything before it. The cursor is never
   * null and includes its version (`storedJson`), because a later release may read it.
   */
  | { type: "checkpoint"; cursor: Json };

export type Progress = {
  /** What the user sees, e.g. "Listing branches", "Receiving objects". */
  phase: string;
  done: number;
  /** null while the total is unknown. */
  total: number | null;
  unit: "objects" | "bytes" | "items" | "refs" | "requests";
};

export type BackupOrder = {
  /** The item as `getItem` returned it at the start of this slice. */
  item: PlatformItem;
  /** The last good snapshot of the item, if any. */
  previous: SnapshotView | null;
  /**
   * When the reading of the previous snapshot began, epoch ms; the same in all slices of a run. It tells whether a change
   * could have been missed, and which parts are due to be read again. Absent = unknown.
   */
  previousAt?: number | undefined;
  /** Where an interrupted run stopped, if this is its continuation. */
  cursor: Json | null;
  /**
   * Whether a temporary failure now would end the run, so that the connector should do without anything optional.
   * Call it when the failure happens, because a checkpoint in between resets the attempts. Absent = the run is
   * retried.
   */
  isLastAttempt?: () => boolean;
  /**
   * What the platform had reported about people, before this backup began, whose names the backups hold: all closed
   * accounts, and the profiles that changed after the previous version began. Every slice gets the same list. The version
   * must not hold the name of a closed account or an outdated name, not even in entries that it keeps. Absent = nothing
   * was reported.
   */
  peopleNews?: readonly PersonNews[];
};

/** The target of a restore. In an existing item a restore only adds: it never changes, moves or deletes anything. */
export type RestoreTarget =
  | { kind: "new"; name: string; place: PlatformPlace | null }
  | { kind: "existing"; item: { externalId: string; name: string; fullName: string } };

export type NewTarget = Extract<RestoreTarget, { kind: "new" }>;

/** The input of `restore` and `planRestore`. */
export type RestoreOrder = {
  /** Its kind is one of `descriptor.supports.restores`. */
  target: RestoreTarget;
  /** The only part to restore, as `partPathOf` writes it; null = the whole version. */
  part: string | null;
  /**
   * Answers by the names of `restoreQuestions`. The connector parses them with its own schema: a missing or unknown
   * answer means the default. The run stores them, so a later release may read them.
   */
  answers: RestoreAnswers;
};

/** The input of `restoreQuestions`. */
export type QuestionOrder = Omit<RestoreOrder, "answers"> & { hasCounts?: boolean };

/** Remembers what a restore has already created, so that a replay continues without creating duplicates. */
export interface RestoreJournal {
  /** Finds the value recorded under the key, or null. */
  find(key: string): Promise<Json | null>;
  /** Stores the value durably before it resolves. Recording the same key again replaces the value. */
  record(key: string, value: Json): Promise<void>;
}

export type RestoreEvent =
  | { type: "progress"; progress: Progress }
  | { type: "restored"; kind: string; count: number }
  /** Restored in another form. */
  | { type: "changed"; what: string; reason: string }
  /** Cannot be restored on this platform. The plan lists it too, so this is only a note. */
  | { type: "impossible"; what: string; reason: string }
  /** Not restored: the platform refused it, or the version lacks it. The restore is incomplete. */
  | { type: "missing"; what: string; reason: string }
  /** Restored under another number or id; yielded only if they differ. `url` is the page of the new one. */
  | { type: "mapped"; kind: string; from: string; to: string; url: string | null }
  /** Read back from the platform and compared with the version; `what` says what is the same, e.g. of branches. */
  | { type: "compared"; what: string; same: number; all: number }
  /** The number of further lines of one of the four lists above that exceeded the connector's limit. */
  | { type: "unlisted"; list: "changed" | "impossible" | "missing" | "mapped"; count: number }
  /**
   * Everything created so far is journaled. A later slice can take over here: it calls `restore` again with the same
   * journal, and `restore` yields every event of the report again.
   */
  | { type: "checkpoint" };

export type RestoredItem = {
  externalId: string;
  name: string;
  fullName: string;
  webUrl: string;
};

export type VerifyEvent =
  | { type: "progress"; progress: Progress }
  /** A file derived from an entry, e.g. `.idx`; stored next to the entry's vault object. */
  | { type: "companion"; path: string; name: string; write: (sink: ByteSink) => Promise<void> }
  /**
   * Temporary bytes of this check, such as the state of unfinished work. Writing the same name again replaces them.
   * `VerifyOrder.readScratch` finds them after the next checkpoint; they are deleted when the check ends.
   */
  | { type: "scratch"; name: string; write: (sink: ByteSink) => Promise<void> }
  /** A sentence for the user: what is wrong with this version. */
  | { type: "problem"; path: string; message: string }
  /** A sentence for the user: what has intact bytes but could not be checked further, and why. */
  | { type: "unproven"; path: string; message: string }
  /**
   * A sentence for the user: what the version lacks because its backup did not know of it. The next backup will
   * include it, and starts at once if this version is the newest.
   */
  | { type: "overlooked"; path: string; message: string }
  /** A sentence for the user: why the platform would not take the version back, although it is sound. */
  | { type: "unrestorable"; message: string }
  /**
   * What the version and its ZIP hold although nothing leads to it any more, e.g. deleted or rewritten history.
   * `bytes`: null = not counted.
   */
  | { type: "unreachable"; objects: number; bytes: number | null }
  /** Facts found during the check, e.g. LFS pointers. */
  | { type: "found"; kind: string; count: number }
  | { type: "checkpoint"; cursor: Json };

/** The input of a deep check. */
export type VerifyOrder = {
  /** Where an interrupted check stopped, if this is its continuation. */
  cursor: Json | null;
  /** Reads the temporary bytes that the check stored under the name; null = there are none. */
  readScratch: (name: string) => AsyncIterable<Uint8Array> | null;
  /** True = store the state needed to continue and yield a checkpoint soon. */
  isOver: () => boolean;
};

/** A file of the open ZIP or the clone URL. Sources are read lazily; the layout depends only on them. */
export type ExportFile =
  | { path: string; source: "entry"; entry: string }
  | { path: string; source: "companion"; entry: string; name: string }
  | { path: string; source: "bytes"; bytes: Uint8Array }
  | { path: string; source: "directory" };

/** A git repository inside a snapshot that can be cloned: its files, relative to its root, for dumb HTTP. */
export type CloneRoot = {
  name: string;
  files: AsyncIterable<ExportFile>;
  /**
   * git's own protocol, which takes two requests where the files take one for each ref. Null = only the files can be
   * given.
   */
  uploadPack: () => Promise<UploadPack | null>;
};

/** The server's side of git's upload-pack over HTTP (git: gitprotocol-http). */
export type UploadPack = {
  /** The answer that lists the refs. */
  refs: Uint8Array;
  /** Answers a request for objects, also one that makes no sense. */
  answer: (request: Uint8Array) => UploadPackAnswer;
};
/** A response of a known length. A piece is valid until the next one is read. */
export type UploadPackAnswer = { length: number; body: () => AsyncIterable<Uint8Array> };

/** An account at the platform. `type` is the platform's own type, e.g. "User", "Organization". */
export type PlatformAccount = { externalId: string; name: string; type: string };

/** The result of an authorisation. The engine seals the secrets before it stores them. */
export type Grant = {
  accessToken: string;
  /** Epoch milliseconds; null = does not expire. */
  accessTokenExpiresAt: number | null;
  refreshToken: string | null;
  account: PlatformAccount;
  /** Stored as `connectionDetails`. If it has a text `fullName`, screens show it as the account owner's name. */
  details: Json;
};

/** The tokens of an authorisation, before its account is known. */
export type GrantTokens = Pick<Grant, "accessToken" | "accessTokenExpiresAt" | "refreshToken">;

/** One of several accounts that an authorisation covers, e.g. a site or a workspace. */
export type AccountCandidate = {
  externalId: string;
  name: string;
  /** Distinguishes accounts of the same name, e.g. by URL. */
  note: string | null;
};

/** The result of an authorisation: one account, or the accounts that the tokens cover, to choose from. */
export type Authorised =
  | { kind: "granted"; grant: Grant }
  | { kind: "candidates"; candidates: readonly AccountCandidate[]; tokens: GrantTokens };

/** What an authorisation needs besides a session. */
export type AuthorisationIo = {
  config: ConnectorConfig;
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  clock: { now(): number };
};

/** The result of looking up an account by name. */
export type AccountAnswer =
  /** The grant covers it. `isOwn` = it is the account that gave the grant. */
  | { kind: "found"; account: PlatformAccount; isOwn: boolean }
  /** It exists and the app is installed, but the platform does not give us access yet. */
  | { kind: "delayed"; account: PlatformAccount; isOwn: boolean }
  /** The platform's app is not installed there, or the account does not exist. */
  | { kind: "missing" };

export interface PlatformAuthoriser {
  /** The consent page to send the browser to. PKCE: `codeChallenge` is S256 of the verifier. */
  consentUrl(
    config: ConnectorConfig,
    request: {
      /** One of the descriptor's methods. */
      authMethod: string;
      state: string;
      codeChallenge: string;
      redirectUri: string;
      /** The account to preselect, if the platform supports it. */
      accountHint?: string;
    },
  ): string;
  /** URL where an account installs the platform's app; absent = the platform has no app. */
  installUrl?(config: ConnectorConfig): string;
  /** Reads the account of a pasted token, which replaces the credential of the preferred method; absent = the platform has no such tokens. @throws ConnectorError */
  readToken?(io: AuthorisationIo, accessToken: string): Promise<Grant>;
  /** Exchanges the code for tokens and reads the account or accounts that they cover. @throws ConnectorError */
  exchange(
    io: AuthorisationIo,
    answer: { authMethod: string; code: string; codeVerifier: string; redirectUri: string },
  ): Promise<Authorised>;
  /**
   * Returns the grant of one candidate. Accounts chosen together share the tokens: the engine renews them once and
   * stores the new ones for all. Absent = `exchange` always returns one account. @throws ConnectorError
   */
  choose?(io: AuthorisationIo, tokens: GrantTokens, externalId: string): Promise<Grant>;
  /** Exchanges the refresh token. @throws ConnectorError `unauthorized` when it is no longer accepted */
  refresh(
    io: AuthorisationIo,
    refreshToken: string,
    authMethod: string,
  ): Promise<{ accessToken: string; accessTokenExpiresAt: number | null; refreshToken: string | null }>;
}

/** Display names of entry kinds, by kind. */
export type EntryKinds = Readonly<Record<string, { one: string; many: string }>>;

/** What the engine needs from a platform. Implementations do not depend on D1, R2, plans or React. */
export interface PlatformConnector {
  descriptor: PlatformDescriptor;
  /** The platform's API version that the connector uses. Stored with each version of an item. */
  apiVersion: string;
  /** Display names of entry kinds, in display order. Kinds that are not listed are not shown. */
  entryKinds: EntryKinds;
  /** What becomes of every field of the platform's API; shown as "What is covered". */
  coverage: Coverage;
  /**
   * Display names of what restores report as restored or renumbered, in display order. Absent = `entryKinds` names them
   * all. `isExtra`: made by a restore although the version has none.
   */
  restoredKinds?: Readonly<Record<string, EntryKinds[string] & { isExtra?: true }>>;
  /** Returns the marks of an item in lists. Never throws: an earlier release may have stored `details`. */
  marksOf?(item: ItemSubject): ItemMarks;
  /**
   * Returns what a version may hold that is older than the version itself, because no feed of the platform shows when it
   * changes. Such kinds are read once in `mostDays`, at the least. Absent = everything is as of the version's own time.
   */
  undated?(version: UndatedOrder): readonly UndatedKinds[];
  /** Members that only this platform's rows have on the public API. Absent = none. */
  rowFacts?: PlatformRowFacts;
  /** Quotas that the platform does not report. Absent = its responses state what is left. */
  quotas?: readonly Quota[];
  /** Calls of the public API that only this platform has. Absent = none. */
  operations?: readonly ConnectorOperation[];
  authoriser: PlatformAuthoriser;
  /** Looks up an account by name; absent = accounts are chosen on the consent page only. */
  findAccount?(session: Session, name: string): Promise<AccountAnswer>;
  /**
   * Counts the people of the account whom the platform's plan counts, e.g. the licensed users of its site. Read once a
   * day. Absent = the plan counts items. @throws ConnectorError `forbidden` when the account may not know it
   */
  countSeats?(session: Session): Promise<number>;
  /** Absent = the platform does not ask whose names we hold. */
  people?: PeopleReporting;
  /** Absent = the platform tells us nothing by itself. */
  webhook?: PlatformWebhook;
  /** Lists the places that the account can add, its own first. */
  listPlaces(session: Session, page: PageRequest): Promise<Page<PlatformPlace>>;
  /** Lists the items of a place, identified by `externalId`. `name` filters by substring where supported. */
  listItems(
    session: Session,
    query: PageRequest & { kind: string; place: PlatformPlace | null; name: string | null },
  ): Promise<Page<PlatformItem>>;
  /** Reads the current state of an item. @throws ConnectorError `gone` when it was deleted */
  getItem(
    session: Session,
    reference: { kind: string; externalId: string; fullName: string },
  ): Promise<PlatformItem>;
  /** URL of an item's web page. */
  webUrl(config: ConnectorConfig, item: { kind: string; fullName: string; details?: Json }): string;
  /**
   * Yields the item's current content, starting at `order.cursor`.
   * @throws UnreadableCursorError for a cursor that this connector does not understand. The connector must not start
   *   over by itself: the engine drops the cursor and everything stored so far, and restarts the run. ConnectorError
   */
  backUp(session: Session, order: BackupOrder): AsyncIterable<BackupEvent>;
  /**
   * Deep check of a stored snapshot, without contacting the platform. Absent = the engine's own check is enough: it
   * opens and hashes every byte.
   * @throws UnreadableCursorError as `backUp` does
   */
  verify?(snapshot: SnapshotView, order: VerifyOrder): AsyncIterable<VerifyEvent>;
  /**
   * The files of the open ZIP, in the best order for reading them. Records as JSON are below `metadata/`. The core adds
   * `index.html` and `viewer/` from the views.
   */
  exportFiles(
    snapshot: SnapshotView,
    item: {
      name: string;
      /** Leave out what no ref reaches; `reach` has run before. */
      reachedOnly?: boolean;
    },
  ): AsyncIterable<ExportFile>;
  /**
   * Makes the companions of an export without what no ref reaches. Absent = its versions hold nothing of the kind.
   */
  reach?(snapshot: SnapshotView): AsyncIterable<Extract<VerifyEvent, { type: "companion" }>>;
  /** The platform's logo on pages that leave the app: an SVG path in a box of 24 by 24. Absent = its name stands alone. */
  logo?: string;
  /** Repositories inside the snapshot that plain git can clone, in the order of the views of files. */
  cloneRoots?(snapshot: SnapshotView): Promise<CloneRoot[]>;
  /**
   * The views of the snapshot, which resemble the item at the platform; the main one first. Absent = screens show
   * single records.
   */
  views?(snapshot: SnapshotView): Promise<readonly View[]>;
  /**
   * Returns what the user must decide before this restore; omitted = nothing. May call the platform, e.g. to read the
   * columns of the target. The names depend only on the version and the target.
   * @param order.hasCounts Also count what people see beside a question, which may read much of the version.
   * @throws ConnectorError
   */
  restoreQuestions?(
    session: Session,
    snapshot: SnapshotView,
    order: QuestionOrder,
  ): Promise<readonly RestoreQuestion[]>;
  /**
   * Describes what `restore` would do with the same version and order, without contacting the platform: it does not
   * know what an existing target already has. The cost is independent of the size: it uses the version's counts and a
   * bounded number of records.
   * @throws ConnectorError as `restore` would; `unsupported` for a target or part that it cannot restore
   */
  planRestore(
    account: Pick<Session, "accountName">,
    snapshot: SnapshotView,
    order: RestoreOrder,
  ): Promise<RestorePlan>;
  /**
   * Restores a version, or a part of it, into a new or an existing item. In an existing item it only adds. It writes to
   * the source only if the order names it as the target. Returns what the user will look for: the item, or the part in
   * it.
   */
  restore(
    session: Session,
    snapshot: SnapshotView,
    order: RestoreOrder,
    journal: RestoreJournal,
  ): AsyncGenerator<RestoreEvent, RestoredItem>;
}
