import type { ReactNode } from "react";
import type { ItemKind } from "#connectors/contract/descriptor.ts";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { PlaceView } from "#core/connections/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import type { RestoreEntries, RestoreRules } from "./restore-form.ts";
import type { TargetsState } from "./use-restore-targets.ts";

/** The part to restore. */
export type ChosenPart = {
  itemId: string;
  snapshotId: string;
  path: string;
  title: string;
  /** Kind of its entry. */
  kind: string;
  /** What one of the kind is called. */
  one: string;
};

/** What to restore: a whole version or a part of it. */
export type RestoreSubject = {
  platform: string;
  kindId: string;
  itemId: string;
  /** null = no version can be restored. */
  snapshotId: string | null;
  /** null = the whole version. */
  part: ChosenPart | null;
  /** Set for a whole version. */
  item: ItemView | null;
};

/** Props of `RestoreFields`. */
export type RestoreFieldsProps = {
  subject: RestoreSubject;
  rules: RestoreRules;
  targets: TargetsState;
  places: readonly PlaceView[];
  placeHint?: string | undefined;
  isAskingPlaces?: boolean;
  /** Number of entries that the backup had to skip. */
  skippedCount?: number;
  timeZone: string;
  /** Returns why the entries cannot be sent; null = they can. */
  reasonOf: (entries: RestoreEntries) => string | null;
  /** Starts the restore and shows a toast. @throws {ApiError} */
  send: (
    entries: RestoreEntries & { snapshotId: string },
    questions: readonly RestoreQuestion[],
  ) => Promise<void>;
  onClose: () => void;
  /** Shown above the fields. */
  children?: ReactNode;
};

/** Returns the platform's names for the kind of item. */
export function kindOf({
  platform,
  kindId,
}: Pick<RestoreSubject, "platform" | "kindId">): Pick<ItemKind, "one" | "many" | "restoredAs"> {
  const kinds = descriptors.find(({ id }) => id === platform)?.itemKinds;
  return kinds?.find(({ id }) => id === kindId) ?? { one: kindId, many: kindId };
}
