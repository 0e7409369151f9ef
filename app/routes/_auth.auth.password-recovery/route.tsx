import type { MetaFunction } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { errorText } from "#app/api/error-text.ts";
import { recoveryCopy as copy, signInCopy } from "#app/copy/auth.ts";
import { FailureAlert } from "#app/routes/_auth/failure-alert.tsx";
import { AskForm } from "./ask-form.tsx";
import { ChangeForm } from "./change-form.tsx";

export const meta: MetaFunction = () => [{ title: "Password recovery · Holdfast" }];

/** Two steps: the e-mail address, then the e-mailed code with a new password (spec ). */
export default function PasswordRecovery() {
  const [email, setEmail] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const fail = (error: unknown) =>
    setFailure(error instanceof ApiError ? errorText(error.message) : signInCopy.somethingWrong);
  const step = email === null ? 0 : 1;
  return (
    <>
      <div className="auth__panel">
        <h1>{copy.title}</h1>
        <ol className="auth__steps" aria-label={copy.stepLabel}>
          {copy.steps.map((label, place) => (
            <li
              key={label}
              className={place === step ? "is-now" : place < step ? "is-done" : undefined}
              aria-current={place === step ? "step" : undefined}
            >
              {label}
            </li>
          ))}
        </ol>
        {email === null ? (
          <AskForm onSent={setEmail} onFailure={fail} />
        ) : (
          <ChangeForm email={email} onFailure={fail} onBack={() => setEmail(null)} />
        )}
      </div>
      <p className="auth__after">
        {copy.remembered}{" "}
        <Link className="link" to="/auth/login">
          {copy.signIn}
        </Link>
        .
      </p>
      <FailureAlert
        title={copy.attention}
        close={copy.close}
        text={failure}
        onClose={() => setFailure(null)}
      />
    </>
  );
}
