import { type ComponentPropsWithoutRef, useState } from "react";
import { newPasswordCopy as copy } from "#app/copy/auth.ts";
import { PasswordField } from "#app/password/password-field.tsx";
import { PasswordRules } from "#app/password/password-rules.tsx";
import type { PasswordCheck } from "#app/password/use-password-check.ts";

/** A new password with its rules. The error appears on blur (spec ). */
export function NewPasswordField({
  check,
  isEmpty,
  ...field
}: ComponentPropsWithoutRef<typeof PasswordField> & { check: PasswordCheck; isEmpty: boolean }) {
  const [wasLeft, setWasLeft] = useState(false);
  const error = isEmpty ? copy.required : copy.weak;
  return (
    <div className="stack">
      <PasswordField
        {...field}
        errors={wasLeft && !check.isGood ? [error] : []}
        onBlur={() => setWasLeft(true)}
        autoComplete="new-password"
        isLarge
      />
      <PasswordRules rules={check.rules} />
    </div>
  );
}
