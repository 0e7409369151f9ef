import { getFormProps, getInputProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { useNavigate } from "@remix-run/react";
import { type FormEvent, useEffect, useState } from "react";
import { callApi } from "#app/api/call-api.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Field } from "#app/components/field.tsx";
import { notify } from "#app/components/toasts.ts";
import { recoveryCopy as copy } from "#app/copy/auth.ts";
import { usePasswordCheck } from "#app/password/use-password-check.ts";
import { NewPasswordField } from "#app/routes/_auth/new-password-field.tsx";
import { changeFormSchema } from "./form.schema.ts";
import { changePassword, sendCode } from "./recovery-calls.ts";

/** Delay before another code can be requested, in seconds. */
const RESEND_SECONDS = 30;

/** The second step: the code and the new password. On success, redirects to the sign-in page (spec ). */
export function ChangeForm({
  email,
  onFailure,
  onBack,
}: {
  email: string;
  onFailure: (error: unknown) => void;
  onBack: () => void;
}) {
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [password, setPassword] = useState("");
  const check = usePasswordCheck(password, { hidesSpaces: true });
  const [form, fields] = useForm({
    id: "new-password",
    onValidate: ({ formData }) => parseWithZod(formData, { schema: changeFormSchema }),
    onSubmit: (event, { submission }) => {
      event.preventDefault();
      if (submission?.status === "success" && check.isGood && !isBusy) void change(submission.value);
    },
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
  });
  async function change(typed: { code: string; password: string }) {
    setIsBusy(true);
    try {
      await changePassword(callApi, { email, ...typed });
      notify(copy.changed);
      navigate("/auth/login", { replace: true });
    } catch (error) {
      onFailure(error);
      setIsBusy(false);
    }
  }
  function look(event: FormEvent<HTMLFormElement>) {
    setPassword(String(new FormData(event.currentTarget).get("password") ?? ""));
  }
  return (
    <form className="auth__form" method="post" {...getFormProps(form)} onInput={look}>
      <Callout>
        <p role="status">{copy.sent}</p>
        <p className="soft">
          {email}{" "}
          <button type="button" className="link" onClick={onBack}>
            {copy.other}
          </button>
        </p>
      </Callout>
      <input type="hidden" name="username" value={email} autoComplete="username" readOnly />
      <Field
        {...getInputProps(fields.code, { type: "text" })}
        key={fields.code.key}
        label={copy.code}
        aside={<Resend email={email} onFailure={onFailure} />}
        errors={fields.code.errors}
        autoComplete="one-time-code"
        inputMode="numeric"
        spellCheck={false}
        isLarge
      />
      <NewPasswordField
        {...getInputProps(fields.password, { type: "password" })}
        key={fields.password.key}
        label={copy.password}
        check={check}
        isEmpty={password === ""}
      />
      <Button type="submit" variant="solid" size="l" isWide isBusy={isBusy} aria-disabled={!check.isGood}>
        {copy.submit}
      </Button>
    </form>
  );
}

/** Sends another code, and shows when it can be requested again (spec A-145). */
function Resend({ email, onFailure }: { email: string; onFailure: (error: unknown) => void }) {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  async function resend() {
    setLeft(RESEND_SECONDS);
    try {
      await sendCode(callApi, email);
      notify(copy.sent);
    } catch (error) {
      setLeft(0);
      onFailure(error);
    }
  }
  if (left > 0) return <span className="auth__small">{copy.resendIn(left)}</span>;
  return (
    <button type="button" className="link" onClick={() => void resend()}>
      {copy.resend}
    </button>
  );
}
