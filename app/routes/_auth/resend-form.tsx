import { type FormEvent, useState } from "react";
import { ApiError, callApi } from "#app/api/call-api.ts";
import { errorText } from "#app/api/error-text.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Field } from "#app/components/field.tsx";
import { verifyCopy as copy } from "#app/copy/auth.ts";
import { emailSchema } from "#core/accounts/password.schema.ts";

/** Sends a new confirmation link. The answer is the same for every address (spec ). */
export function ResendForm() {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSent, setIsSent] = useState(false);
  async function resend(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = emailSchema.safeParse(new FormData(event.currentTarget).get("email"));
    if (!typed.success) return setError(faultOf(typed));
    setIsBusy(true);
    setFailure(null);
    try {
      await callApi("POST resend-email-verification", { email: typed.data }, { isQuiet: true });
      setIsSent(true);
    } catch (cause) {
      setFailure(cause instanceof ApiError ? errorText(cause.message) : copy.somethingWrong);
    }
    setIsBusy(false);
  }
  if (isSent) {
    return (
      <div className="stack" role="status">
        <p className="ok-t medium">{copy.resent}</p>
        <p className="soft">{copy.resentHelp}</p>
      </div>
    );
  }
  return (
    <form method="post" className="auth__form" noValidate onSubmit={(event) => void resend(event)}>
      <p className="soft">{copy.resendLead}</p>
      {failure && <Callout tone="bad">{failure}</Callout>}
      <Field
        type="email"
        name="email"
        label={copy.email}
        errors={error ? [error] : []}
        onChange={() => setError(null)}
        onBlur={(event) => setError(faultOf(emailSchema.safeParse(event.currentTarget.value)))}
        autoComplete="username"
        isLarge
      />
      <Button type="submit" variant="solid" size="l" isWide isBusy={isBusy}>
        {copy.resend}
      </Button>
    </form>
  );
}

function faultOf(typed: ReturnType<typeof emailSchema.safeParse>): string | null {
  return typed.error?.issues[0]?.message ?? null;
}
