import { type FormEvent, useState } from "react";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Field } from "#app/components/field.tsx";
import { notify } from "#app/components/toasts.ts";
import { detailsCopy as copy, settingsCopy } from "#app/copy/settings.ts";
import { personNameSchema } from "#core/accounts/password.schema.ts";
import { useSettings } from "./settings-context.tsx";

/** First and last name; can be saved only after a change (spec A-348). The e-mail is read-only. */
export function NamesForm() {
  const { me, ask, refreshMe } = useSettings();
  const [name, setName] = useState(me.name);
  const [familyName, setFamilyName] = useState(me.family_name);
  const { isBusy, send } = useRequest();
  const errors = { name: errorOf(name, me.name), familyName: errorOf(familyName, me.family_name) };
  const isChanged = name.trim() !== me.name || familyName.trim() !== me.family_name;
  const canSave = isChanged && errors.name.length === 0 && errors.familyName.length === 0;

  async function save(event: FormEvent) {
    event.preventDefault();
    if (!canSave || isBusy) return;
    await send(async () => {
      const body = { name: name.trim(), family_name: familyName.trim() };
      if (await ask("POST user/update", body)) {
        setName(body.name);
        setFamilyName(body.family_name);
        notify(settingsCopy.saved);
        await refreshMe();
      }
    });
  }
  return (
    <form method="post" className="settings-form" noValidate onSubmit={save}>
      <div className="settings-pair">
        <Field
          label={copy.firstName}
          value={name}
          onChange={(event) => setName(event.target.value)}
          errors={errors.name}
          autoComplete="given-name"
        />
        <Field
          label={copy.lastName}
          value={familyName}
          onChange={(event) => setFamilyName(event.target.value)}
          errors={errors.familyName}
          autoComplete="family-name"
        />
      </div>
      <Field label={copy.email} value={me.email} type="email" hint={copy.emailHint} readOnly />
      <div>
        <Button
          type="submit"
          variant="solid"
          isBusy={isBusy}
          aria-disabled={!canSave}
          reason={isChanged ? null : settingsCopy.unchanged}
        >
          {settingsCopy.save}
        </Button>
      </div>
    </form>
  );
}

/** What is wrong with a changed name. Stored names are not validated. */
function errorOf(name: string, stored: string): string[] {
  if (name.trim() === stored) return [];
  const checked = personNameSchema.safeParse(name);
  return checked.success ? [] : checked.error.issues.map((issue) => issue.message).slice(0, 1);
}
