import { type FormEvent, useState } from "react";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Checkbox } from "#app/components/checkbox.tsx";
import { Switch } from "#app/components/switch.tsx";
import { notify } from "#app/components/toasts.ts";
import { reportingCopy as copy, settingsCopy } from "#app/copy/settings.ts";
import {
  isSame,
  isTicked,
  preferencesOf,
  type ReportBox,
  type ReportPreferences,
  toWire,
  withBox,
  withFrequency,
} from "./report-preferences.ts";
import { Section } from "./section.tsx";
import { useSettings } from "./settings-context.tsx";
import type { WirePreferences } from "./wire-types.ts";

const FREQUENCIES = ["daily", "weekly"] as const;

/** The reports that the user gets (spec ). The switch is saved at once, the rest with the Save button. */
export function ReportingPanel({ loaded }: { loaded: WirePreferences }) {
  const { me, ask } = useSettings();
  const [saved, setSaved] = useState(() => preferencesOf(loaded));
  const [chosen, setChosen] = useState(saved);
  const { isBusy, send } = useRequest();
  const reason = reasonNotToSave(chosen, saved, me.isSubscribedToMail);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (reason || isBusy) return;
    await send(async () => {
      const body = { email_preferences: { ...toWire(chosen, me.isSubscribedToMail), ...whereIAm() } };
      if (await ask("PUT user/email-preferences", body)) {
        setSaved(chosen);
        notify(settingsCopy.saved);
      }
    });
  }
  return (
    <>
      <Section title={copy.master} text={copy.masterText}>
        <MasterSwitch />
      </Section>
      <form method="post" onSubmit={save}>
        <Section title={copy.frequency}>
          <div className="settings-form">
            <fieldset className="segmented">
              <legend className="sr">{copy.frequency}</legend>
              {FREQUENCIES.map((frequency) => (
                <label key={frequency}>
                  <input
                    type="radio"
                    name="frequency"
                    checked={chosen.frequency === frequency}
                    onChange={() => setChosen(withFrequency(chosen, frequency))}
                  />
                  {copy.frequencies[frequency]}
                </label>
              ))}
            </fieldset>
            {chosen.frequency === "weekly" && (
              <DayPicker day={chosen.day} onPick={(day) => setChosen({ ...chosen, day })} />
            )}
          </div>
        </Section>
        <Section title={copy.kinds}>
          <div className="settings-form">
            <Box box="succeeded" chosen={chosen} onChange={setChosen} />
            <Box box="failed" chosen={chosen} onChange={setChosen} />
            <p className="meta" role="status">
              {chosen.type === null ? copy.noKind : ""}
            </p>
            <div className="form-actions">
              <Button type="submit" variant="solid" isBusy={isBusy} reason={reason}>
                {settingsCopy.save}
              </Button>
            </div>
          </div>
        </Section>
      </form>
    </>
  );
}

/** Why Save is disabled (spec ). */
function reasonNotToSave(chosen: ReportPreferences, saved: ReportPreferences, isActive: boolean) {
  if (!isActive) return copy.isOff;
  return isSame(chosen, saved) ? settingsCopy.unchanged : null;
}

/** A report's day is in the user's time zone. If the browser does not know it, the stored zone is kept. */
function whereIAm(): { time_zone?: string } {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone ? { time_zone: timeZone } : {};
}

function MasterSwitch() {
  const { me, ask, patchMe } = useSettings();
  const { isBusy, send } = useRequest();
  async function turn(isSubscribedToMail: boolean) {
    if (isBusy) return;
    await send(async () => {
      patchMe({ isSubscribedToMail });
      const body = { isSubscribedToMail, ...whereIAm() };
      if (await ask("PUT user/subscribe-mail-sending", body)) notify(settingsCopy.saved);
      else patchMe({ isSubscribedToMail: !isSubscribedToMail });
    });
  }
  return (
    <span className="settings-switch">
      <Switch
        id="email-reports"
        aria-label={copy.master}
        checked={me.isSubscribedToMail}
        onCheckedChange={turn}
        aria-busy={isBusy || undefined}
      />
      <label htmlFor="email-reports">{me.isSubscribedToMail ? copy.on : copy.off}</label>
    </span>
  );
}

function DayPicker({
  day,
  onPick,
}: {
  day: ReportPreferences["day"];
  onPick: (day: NonNullable<ReportPreferences["day"]>) => void;
}) {
  return (
    <fieldset className="day-picker">
      <legend>{copy.day}</legend>
      <div className="segmented">
        {copy.days.map(({ id, code, name }) => (
          <label key={id} title={name}>
            <input
              type="radio"
              name="report-day"
              aria-label={`${code}, ${name}`}
              checked={day === id}
              onChange={() => onPick(id)}
            />
            {code}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Box({
  box,
  chosen,
  onChange,
}: {
  box: ReportBox;
  chosen: ReportPreferences;
  onChange: (chosen: ReportPreferences) => void;
}) {
  const words = {
    succeeded: [copy.succeeded, copy.succeededText],
    failed: [copy.failed, copy.failedText],
  } as const;
  const [name, text] = words[box];
  return (
    <div className="settings-box">
      <Checkbox
        id={`report-${box}`}
        aria-describedby={`report-${box}-text`}
        checked={isTicked(chosen.type, box)}
        onCheckedChange={(ticked) => onChange({ ...chosen, type: withBox(chosen.type, box, ticked) })}
      />
      <span className="stack-tight">
        <label htmlFor={`report-${box}`} className="medium">
          {name}
        </label>
        <span className="meta" id={`report-${box}-text`}>
          {text}
        </span>
      </span>
    </div>
  );
}
