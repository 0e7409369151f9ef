import { type FormEvent, useRef, useState } from "react";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Field } from "#app/components/field.tsx";
import { notify } from "#app/components/toasts.ts";
import { usersCopy as copy, settingsCopy } from "#app/copy/settings.ts";
import { organisationNameSchema } from "#core/organisations/organisation-name.schema.ts";
import { useSettings } from "./settings-context.tsx";

/**
 * The organisation's name. The button says Save while there is no name, and Edit afterwards (spec ); Edit
 * opens the field.
 */
export function OrganisationName() {
  const { me, ask, patchMe, refreshMe } = useSettings();
  const stored = me.organization_name ?? "";
  const [name, setName] = useState(stored);
  const [isTouched, setIsTouched] = useState(false);
  const [isEditing, setIsEditing] = useState(false);
  const isOpen = stored === "" || isEditing;
  const form = useRef<HTMLFormElement>(null);
  const { isBusy, send } = useRequest();
  const trimmed = name.trim();
  const error = organisationNameSchema.safeParse(name).error?.issues[0]?.message ?? null;
  const isChanged = trimmed !== stored;

  function close(shown: string) {
    setName(shown);
    setIsTouched(false);
    setIsEditing(false);
  }
  async function save(event: FormEvent) {
    event.preventDefault();
    if (error || !isChanged || isBusy) return;
    await send(async () => {
      const body = { organization_name: trimmed };
      if (await ask("POST user/organization/name", body)) {
        close(trimmed);
        patchMe({ organization_name: trimmed });
        notify(settingsCopy.saved);
        await refreshMe();
      }
    });
  }
  return (
    <form method="post" className="org-row" noValidate onSubmit={save} ref={form}>
      <Field
        label={copy.organisation}
        value={name}
        readOnly={!isOpen}
        onChange={(event) => {
          setName(event.target.value);
          setIsTouched(true);
        }}
        onBlur={() => setIsTouched(true)}
        errors={isTouched && error ? [error] : []}
        autoComplete="organization"
      />
      {isOpen ? (
        <>
          <Button
            key="save"
            type="submit"
            variant="solid"
            isBusy={isBusy}
            aria-disabled={error !== null || !isChanged}
          >
            {copy.save}
          </Button>
          {isEditing && (
            <Button variant="ghost" onClick={() => close(stored)}>
              {settingsCopy.cancel}
            </Button>
          )}
        </>
      ) : (
        <Button
          key="edit"
          onClick={() => {
            setIsEditing(true);
            form.current?.querySelector("input")?.focus();
          }}
        >
          {copy.edit}
        </Button>
      )}
    </form>
  );
}
