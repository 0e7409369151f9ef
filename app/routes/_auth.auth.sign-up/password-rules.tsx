import { Check, Circle } from "lucide-react";
import { signUpCopy as copy } from "#app/copy/auth.ts";
import { PASSWORD_RULES } from "#core/accounts/password.schema.ts";

/** The rules of a password, ticked off with each key (spec A-135). */
export function PasswordRules({ password }: { password: string }) {
  return (
    <ul className="rule-list" aria-label={copy.rules}>
      {PASSWORD_RULES.map(({ text, holds }) => {
        const isMet = password !== "" && holds(password);
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
