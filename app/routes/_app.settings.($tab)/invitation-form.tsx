import { type FormEvent, useEffect, useRef, useState } from "react";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Field } from "#app/components/field.tsx";
import { usersCopy as copy, settingsCopy } from "#app/copy/settings.ts";
import { emailSchema } from "#core/accounts/password.schema.ts";
import { isSameRights, type Rights, rightsOf, rolesOf, withToggled } from "./rights.ts";
import { RightsGrid } from "./rights-grid.tsx";
import type { InvitedUser } from "./wire-types.ts";

/** The purpose of the form: a new invitation, or the rights of an invited user. */
export type FormAim = { kind: "create" } | { kind: "edit"; user: InvitedUser };

/** Invites a user, or changes the rights of an invited one, whose e-mail is fixed (spec ). */
export function InvitationForm({
  aim,
  onSubmit,
  onCancel,
}: {
  aim: FormAim;
  onSubmit: (email: string, roles: string[]) => Promise<boolean>;
  onCancel: () => void;
}) {
  const initial = aim.kind === "edit" ? rightsOf(aim.user.roles) : {};
  const [email, setEmail] = useState(aim.kind === "edit" ? aim.user.email : "");
  const [isTouched, setIsTouched] = useState(false);
  const [rights, setRights] = useState<Rights>(initial);
  const { isBusy, send } = useRequest();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.scrollIntoView({ block: "nearest" });
    form.current?.querySelector<HTMLElement>("input:not([readonly]):not(:disabled)")?.focus();
  }, []);
  const isValid = aim.kind === "edit" || emailSchema.safeParse(email).success;
  const reason = reasonNotToSubmit(aim, { email, isValid, isChanged: !isSameRights(rights, initial) });

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (reason || isBusy) return;
    await send(() => onSubmit(email.trim(), rolesOf(rights)));
  }
  return (
    <form
      method="post"
      ref={form}
      className="invite-form"
      noValidate
      onSubmit={submit}
      aria-label={copy.formTitle[aim.kind]}
    >
      <Field
        label={copy.email}
        type="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        onBlur={() => setIsTouched(true)}
        errors={isTouched && email !== "" && !isValid ? [copy.emailInvalid] : []}
        autoComplete="off"
        readOnly={aim.kind === "edit"}
        isLarge
      />
      <RightsGrid
        rights={rights}
        onToggle={(platform, right) => setRights(withToggled(rights, platform, right))}
      />
      <div className="row">
        <Button type="submit" variant="solid" isBusy={isBusy} reason={isBusy ? null : reason}>
          {copy.submit[aim.kind]}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {settingsCopy.cancel}
        </Button>
      </div>
    </form>
  );
}

/** Why the form cannot be submitted (spec ). */
function reasonNotToSubmit(
  aim: FormAim,
  { email, isValid, isChanged }: { email: string; isValid: boolean; isChanged: boolean },
): string | null {
  if (email.trim() === "") return copy.reasons.email;
  if (!isValid) return copy.reasons.invalid;
  return isChanged ? null : copy.reasons.rights[aim.kind];
}
