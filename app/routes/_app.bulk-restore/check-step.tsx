import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import type { BulkItem } from "#app/bulk/bulk-items.schema.ts";
import type { NameRules } from "#app/bulk/bulk-rules.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Field } from "#app/components/field.tsx";
import { PlaceField } from "#app/components/place-field.tsx";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";
import { restoreCopy } from "#app/copy/restore.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { spokenDuration } from "#app/format/duration.ts";
import type { ItemKind } from "#connectors/contract/descriptor.ts";
import type { PlaceView } from "#core/inventory/views.ts";
import { useForecast } from "./use-forecast.ts";

/** Step 2: what will happen, who is notified, and the button that starts it. */
export function CheckStep({
  items,
  kind,
  label,
  options,
  rules,
  timeZone,
  now,
  platform,
  places,
  isPlaceChosenAtFirst,
  placeId,
  onPlace,
  emails,
  emailFault,
  onEmails,
  isSending,
  reason,
  onBack,
  onRestore,
}: {
  items: readonly BulkItem[];
  kind: ItemKind;
  platform: string;
  /** The platform's name. */
  label: string;
  /** The options that apply to every restore. */
  options: Readonly<Record<string, boolean>>;
  rules: NameRules;
  timeZone: string;
  now: number;
  /** The possible target places; empty = each item goes to its original place. */
  places: readonly PlaceView[];
  isPlaceChosenAtFirst: boolean;
  placeId: string | null;
  onPlace: (placeId: string | null) => void;
  emails: string;
  emailFault: string | null;
  onEmails: (emails: string) => void;
  isSending: boolean;
  reason: string | null;
  onBack: () => void;
  onRestore: () => void;
}) {
  const [isLeft, setIsLeft] = useState(false);
  const forecast = useForecast(items, options);
  return (
    <>
      <h2 className="bulk__head">{copy.summary(items.length, kind.one, kind.many)}</h2>
      <table className="data-table bulk-table">
        <thead>
          <tr>
            <th scope="col">{copy.columns.from}</th>
            <th scope="col">{copy.columns.version}</th>
            <th scope="col">{copy.columns.to}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              <td>
                <span className="clip">{item.idName}</span>
              </td>
              <td className="mono-meta nowrap">
                {item.verDate === null ? "" : dateTimeText(item.verDate, timeZone, now)}
              </td>
              <td>
                <b className="medium clip">{rules.isUnnamed ? copy.unnamed : item.name.trim()}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="meta bulk__cost" aria-live="polite">
        {forecast !== null &&
          restoreCopy.plan.cost(forecast.calls, label, spokenDuration(forecast.durationMs))}
      </p>
      {items.some(({ visibility }) => visibility !== "private") && (
        <div className="bulk__note">
          <Callout tone="warn">{copy.publicSource}</Callout>
        </div>
      )}
      <div className="bulk__fields">
        {places.length > 0 && (
          <PlaceField
            platform={platform}
            label={copy.place}
            places={places}
            value={placeId}
            isChosenAtFirst={isPlaceChosenAtFirst}
            onChoose={onPlace}
          />
        )}
        <Field
          label={copy.emails}
          aside={<span className="field__hint">{copy.optional}</span>}
          value={emails}
          hint={copy.emailsHint}
          errors={isLeft && emailFault !== null ? [emailFault] : undefined}
          inputMode="email"
          autoComplete="email"
          spellCheck={false}
          onChange={(event) => onEmails(event.target.value.replace(/\s/g, ""))}
          onFocus={() => setIsLeft(false)}
          onBlur={() => setIsLeft(true)}
        />
      </div>
      <div className="form-actions">
        <Button variant="ghost" size="l" onClick={onBack}>
          <ArrowLeft aria-hidden />
          {copy.stepBack}
        </Button>
        <Button
          variant="solid"
          size="l"
          className="push"
          isBusy={isSending}
          reason={reason}
          onClick={onRestore}
        >
          {copy.submit(items.length)}
        </Button>
      </div>
    </>
  );
}
