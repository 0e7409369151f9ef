import { useId, useState } from "react";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Checkbox } from "#app/components/checkbox.tsx";
import { notify } from "#app/components/toasts.ts";
import { storageCopy } from "#app/copy/storage.ts";
import { bytesText } from "#app/format/bytes.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { descriptors, uis } from "#connectors/registry/descriptors.generated.ts";
import type { StorageOverview } from "./storage-calls.ts";
import { saveCopiedPlatforms } from "./storage-calls.ts";

const copy = storageCopy.copied;

type Copies = StorageOverview["platforms"][string];

/**
 * Selects the platforms whose new versions are copied, within the user's rights (spec P-308), and shows the progress of
 * the copies.
 */
export function CopiedPlatforms({
  kind,
  platforms,
  timeZone,
  now,
  onUpgrade,
  onSaved,
}: {
  /** Kind of the connected storage. */
  kind: string;
  platforms: StorageOverview["platforms"];
  timeZone: string;
  now: number;
  onUpgrade: () => void;
  onSaved: () => Promise<void>;
}) {
  const [changes, setChanges] = useState<ReadonlyMap<string, boolean>>(new Map());
  const { isBusy, refusal, send } = useRequest();
  const titleId = useId();
  const listed = descriptors.flatMap(({ id, label }) => {
    const copies = platforms[id];
    return copies ? [{ id, label, copies }] : [];
  });
  const isCopied = (id: string, { storage }: Copies) => changes.get(id) ?? storage.length > 0;
  const changed = listed.filter(({ id, copies }) => isCopied(id, copies) !== copies.storage.length > 0);

  async function save() {
    const wanted = changed.map(({ id, copies }) => [id, isCopied(id, copies) ? [kind] : []]);
    await saveCopiedPlatforms(Object.fromEntries(wanted));
    await onSaved();
    setChanges(new Map());
    notify(storageCopy.toasts.saved);
  }

  return (
    <section className="stack" aria-labelledby={titleId}>
      <div>
        <h3 id={titleId}>{copy.title}</h3>
        <p className="meta">{copy.text}</p>
      </div>
      {refusal !== null && <Callout tone="bad">{refusal}</Callout>}
      <ul className="copied-lines">
        {listed.map(({ id, label, copies }) => (
          <CopiedLine
            key={id}
            platform={id}
            label={label}
            copies={copies}
            isCopied={isCopied(id, copies)}
            timeZone={timeZone}
            now={now}
            onToggle={(next) => {
              // Copying can be turned off on any plan; only turning it on needs one (spec P-304).
              if (next && !copies.isOnPlan) return onUpgrade();
              setChanges(new Map(changes).set(id, next));
            }}
          />
        ))}
      </ul>
      <div className="form-actions">
        <Button
          variant="solid"
          isBusy={isBusy}
          reason={changed.length === 0 ? copy.unchanged : null}
          onClick={() => void send(save)}
        >
          {copy.save}
        </Button>
      </div>
    </section>
  );
}

function CopiedLine({
  platform,
  label,
  copies,
  isCopied,
  timeZone,
  now,
  onToggle,
}: {
  platform: string;
  label: string;
  copies: Copies;
  isCopied: boolean;
  timeZone: string;
  now: number;
  onToggle: (isCopied: boolean) => void;
}) {
  const id = useId();
  const Logo = uis[platform]?.Logo;
  return (
    <li>
      <Checkbox
        id={id}
        checked={isCopied}
        disabled={!copies.canChange}
        title={copies.canChange ? undefined : storageCopy.notYours}
        aria-describedby={`${id}-state`}
        onCheckedChange={onToggle}
      />
      <label htmlFor={id} className="row">
        {Logo && <Logo size={18} />}
        {label}
        {!copies.isOnPlan && copies.canChange && <span className="badge">{storageCopy.needsPro}</span>}
      </label>
      <span className="meta" id={`${id}-state`}>
        {copies.canChange ? stateOf(copies, timeZone, now) : storageCopy.notYours}
      </span>
    </li>
  );
}

/** The state of a platform's copies in one line. */
function stateOf(
  { stored, waiting, failed, sizeBytes, lastStoredAt, storage }: Copies,
  timeZone: string,
  now: number,
): string {
  const number = (value: number) => value.toLocaleString("en-US");
  const parts = [
    ...(stored > 0 ? [`${copy.versions(number(stored))}, ${bytesText(sizeBytes)}`] : []),
    ...(lastStoredAt === null ? [] : [copy.last(dateTimeText(lastStoredAt, timeZone, now))]),
    ...(waiting > 0 ? [copy.waiting(number(waiting))] : []),
    ...(failed > 0 ? [copy.failed(number(failed))] : []),
  ];
  if (parts.length > 0) return parts.join(" · ");
  return storage.length > 0 ? copy.none : copy.off;
}
