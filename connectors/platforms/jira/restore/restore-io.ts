import type { RestoreJournal, Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Maker } from "#connectors/toolkit/records/make-once.ts";
import type { Answers } from "./answers.ts";
import type { JiraCalls } from "./jira-calls.ts";
import type { KeySource } from "./rewrite-keys.ts";
import type { TargetFrame } from "./target-frame.ts";
import type { VersionFrame } from "./version-frame.ts";

/** What all steps of a restore share. */
export type RestoreIo = {
  session: Session;
  snapshot: SnapshotView;
  journal: RestoreJournal;
  calls: JiraCalls;
  maker: Maker;
  answers: Answers;
  frame: VersionFrame;
  target: TargetFrame;
  source: KeySource;
  /** The address of the site's pages. */
  siteUrl: string;
  /** Names this restore in the entity property of its issues. */
  mark: string;
  /** Path of the only issue to restore; null = all. */
  part: string | null;
};
