import { useNavigate } from "@remix-run/react";
import { notify } from "#app/components/toasts.ts";
import { restoreCopy as copy } from "#app/copy/restore.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { startPartRestore } from "./restore-calls.ts";
import { RestoreFields } from "./restore-fields.tsx";
import { chosenPlace, entriesReason, readEmails, restoreRules } from "./restore-form.ts";
import type { ChosenPart } from "./restore-subject.ts";
import { useRestoreTargets } from "./use-restore-targets.ts";

export type PartFormProps = { platform: string; part: ChosenPart; timeZone: string };

/** The form that restores a part of a version. */
export function PartForm({ platform, part, timeZone, onClose }: PartFormProps & { onClose: () => void }) {
  const navigate = useNavigate();
  const { itemId, snapshotId, path } = part;
  const targets = useRestoreTargets(itemId);
  const places = targets.targets?.places ?? [];
  const descriptor = descriptors.find(({ id }) => id === platform);
  // Only items of a platform's first kind have parts.
  const kindId = descriptor?.itemKinds[0]?.id ?? "";
  const rules = restoreRules(descriptor, kindId, places, true);
  return (
    <RestoreFields
      subject={{ platform, kindId, itemId, snapshotId, part, item: null }}
      rules={rules}
      targets={targets}
      places={places}
      timeZone={timeZone}
      reasonOf={(entries) => entriesReason(entries, rules)}
      send={async ({ into, name, placeId, answers, emails }) => {
        const place = into === "new" ? chosenPlace(places, placeId, rules) : null;
        await startPartRestore({
          itemId,
          snapshotId,
          path,
          into: into === "new" || into === null ? null : into.externalId,
          name: into === "new" && name.trim() !== "" ? name.trim() : null,
          place: place?.externalId ?? null,
          options: answers,
          emails: readEmails(emails),
        });
        const history = `/platform/backups/${platform}?id=${encodeURIComponent(itemId)}`;
        notify(copy.started, { action: { label: copy.see, run: () => navigate(history) } });
      }}
      onClose={onClose}
    />
  );
}
