import { Dialog } from "#app/components/dialog.tsx";
import { restoreCopy as copy } from "#app/copy/restore.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { RestoreTargetKind } from "#connectors/contract/descriptor.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { PartForm, type PartFormProps } from "./restore-part-form.tsx";
import { VersionForm, type VersionRestoreProps } from "./restore-version-form.tsx";

export type RestoreDialogProps = { isOpen: boolean; onClose: () => void } & (
  | VersionRestoreProps
  | PartFormProps
);

/** Restores a version, or a part of it, into a new or an existing item (spec part 2 section 5). */
export default function RestoreDialog({ isOpen, onClose, ...subject }: RestoreDialogProps) {
  const isPart = "part" in subject;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={isPart ? <PartTitle {...subject} /> : copy.title(subject.item.name)}
      description={isPart ? copy.part.description(subject.part.one) : descriptionOf(subject)}
      size="l"
      isFlush
    >
      {isOpen && isPart && <PartForm {...subject} onClose={onClose} />}
      {isOpen && !isPart && <VersionForm {...subject} onClose={onClose} />}
    </Dialog>
  );
}

function PartTitle({ part }: PartFormProps) {
  return (
    <span className="title-name" dir="auto">
      {copy.title(visibleName(part.title.trim()) || part.path)}
    </span>
  );
}

function descriptionOf({ item }: VersionRestoreProps): string {
  const descriptor = descriptors.find(({ id }) => id === item.platform);
  const kind = descriptor?.itemKinds.find(({ id }) => id === item.kind);
  const targets: readonly RestoreTargetKind[] = descriptor?.supports.restores.whole ?? ["new"];
  const [only] = targets;
  const target = targets.length === 1 && only ? only : "any";
  const one = kind?.one ?? item.kind;
  return copy.description[target](target === "new" ? (kind?.restoredAs ?? one) : one);
}
