import { type FormEvent, useState } from "react";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { notify } from "#app/components/toasts.ts";
import { securityCopy as copy, settingsCopy } from "#app/copy/settings.ts";
import { PasswordField } from "#app/password/password-field.tsx";
import { PasswordRules } from "#app/password/password-rules.tsx";
import { usePasswordCheck } from "#app/password/use-password-check.ts";
import { OLD_PASSWORD_MAX_LENGTH } from "#core/accounts/password.schema.ts";
import { useSettings } from "./settings-context.tsx";

/** Old, new and confirmed password. The rules for the new one are checked while typing. */
export function PasswordForm() {
  const { me, ask } = useSettings();
  const [typed, setTyped] = useState({ old: "", next: "", confirm: "" });
  const { isBusy, send } = useRequest();
  const check = usePasswordCheck(typed.next);
  const isTooLong = typed.old.length > OLD_PASSWORD_MAX_LENGTH;
  const isMismatch = typed.confirm !== "" && typed.confirm !== typed.next;
  const canChange = typed.old !== "" && !isTooLong && check.isGood && typed.confirm === typed.next;

  async function change(event: FormEvent) {
    event.preventDefault();
    if (!canChange || isBusy) return;
    await send(async () => {
      const body = { newPassword: typed.next, oldPassword: typed.old };
      if (await ask("POST user/change-user-password", body)) {
        setTyped({ old: "", next: "", confirm: "" });
        notify(settingsCopy.saved);
      }
    });
  }
  const bind = (name: keyof typeof typed) => ({
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [name]: target.value }),
  });
  return (
    <form method="post" className="settings-form" noValidate onSubmit={change}>
      <input type="text" autoComplete="username" value={me.email} readOnly hidden />
      <PasswordField
        {...bind("old")}
        label={copy.oldPassword}
        autoComplete="current-password"
        errors={isTooLong ? [copy.oldTooLong] : []}
      />
      <div className="stack">
        <PasswordField {...bind("next")} label={copy.newPassword} autoComplete="new-password" />
        <PasswordRules rules={check.rules} />
      </div>
      <PasswordField
        {...bind("confirm")}
        label={copy.confirm}
        autoComplete="new-password"
        errors={isMismatch ? [copy.mismatch] : []}
      />
      <div>
        <Button type="submit" variant="solid" isBusy={isBusy} aria-disabled={!canChange}>
          {copy.change}
        </Button>
      </div>
    </form>
  );
}
