import { Check, Circle } from "lucide-react";
import { newPasswordCopy as copy } from "#app/copy/auth.ts";
import type { CheckedRule } from "./use-password-check.ts";

/** The rules for a new password, checked on every keystroke (spec A-135). */
export function PasswordRules({ rules }: { rules: readonly CheckedRule[] }) {
  return (
    <ul className="rule-list" aria-label={copy.rules}>
      {rules.map(({ text, isMet }) => {
        const Icon = isMet ? Check : Circle;
        return (
          <li key={text}>
            <Icon className={isMet ? "ok-t" : undefined} aria-hidden />
            {text}
            <span className="sr">: {isMet ? copy.met : copy.open}</span>
          </li>
        );
      })}
    </ul>
  );
}
