import type {
  RestoreEvent,
  RestoreJournal,
  RestoreOrder,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import type { Register } from "../payloads.ts";
import type { RegisterMatch, readAnswers } from "./answers.ts";

/** What a restore has counted so far, by the kinds of its report. */
export type Counts = { page: number; register: number; row: number; comment: number; file: number };

/** What all steps of a restore share. */
export type RestoreIo = {
  session: Session;
  client: HttpClient;
  snapshot: SnapshotView;
  journal: RestoreJournal;
  answers: ReturnType<typeof readAnswers>;
  matches: ReadonlyMap<string, RegisterMatch>;
  /** The registers of an existing target, by id. */
  targets: ReadonlyMap<string, Register>;
  siteId: string;
  /** The book that everything goes into. */
  bookId: string;
  /** Begins the id of every request that makes something: Almanac makes it once, however often it is asked. */
  mark: string;
  counts: Counts;
  /** Files of which the version has no bytes. */
  missingFiles: number;
};

/** A step of a restore: yields events, returns what it made. */
export type RestoreStep<T = void> = AsyncGenerator<RestoreEvent, T>;

export type RestoreOf = Pick<RestoreOrder, "target" | "part">;

/** Where a page or register is made: below a page or at the top, and which place of the page it fills. */
export type Place = { parentId: string | null; slot: string | null; prefix: string };
