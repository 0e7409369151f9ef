import { getFormProps, getInputProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { MetaFunction } from "@remix-run/cloudflare";
import { useNavigate, useSearchParams } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { ApiError, callApi } from "#app/api/call-api.ts";
import { errorText } from "#app/api/error-text.ts";
import { Button } from "#app/components/button.tsx";
import { Field } from "#app/components/field.tsx";
import { notify } from "#app/components/toasts.ts";
import { usePasswordCheck } from "#app/components/use-password-check.ts";
import { inviteCopy as copy, signInCopy } from "#app/copy/auth.ts";
import { FailureAlert } from "#app/routes/_auth/failure-alert.tsx";
import { NewPasswordField } from "#app/routes/_auth/new-password-field.tsx";
import { browserStores, endMarker } from "#app/session/marker.ts";
import { emailSchema } from "#core/accounts/password.schema.ts";
import { completeInvitation } from "./complete-invitation.ts";
import { type InviteForm, inviteFormSchema } from "./form.schema.ts";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

/** Where the link of an invitation leads: the invited person chooses a password and says their name. */
export default function Invite() {
  const [search] = useSearchParams();
  const email = search.get("email") ?? "";
  const { send, isBusy, failure, forget } = useSetup();
  const [password, setPassword] = useState("");
  const [isValid, setIsValid] = useState(false);
  const check = usePasswordCheck(password);
  const [form, fields] = useForm({
    id: "invite",
    defaultValue: { email, code: search.get("code") ?? "" },
    onValidate: ({ formData }) => parseWithZod(formData, { schema: inviteFormSchema }),
    onSubmit: (event, { submission }) => {
      event.preventDefault();
      if (submission?.status === "success" && check.isGood && !isBusy) void send(submission.value);
    },
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
  });
  function look(event: FormEvent<HTMLFormElement>) {
    const typed = new FormData(event.currentTarget);
    setPassword(String(typed.get("password") ?? ""));
    setIsValid(parseWithZod(typed, { schema: inviteFormSchema }).status === "success");
  }
  const emailError = emailSchema.safeParse(email).error?.issues[0]?.message;
  return (
    <>
      <form className="auth__panel" method="post" {...getFormProps(form)} onInput={look}>
        <div>
          <h1>{copy.title}</h1>
          <p className="soft">{copy.lead}</p>
        </div>
        <Field
          {...getInputProps(fields.email, { type: "email" })}
          key={fields.email.key}
          label={copy.email}
          errors={emailError ? [emailError] : []}
          autoComplete="username"
          readOnly
          isLarge
        />
        <Field
          {...getInputProps(fields.code, { type: "text" })}
          key={fields.code.key}
          label={copy.code}
          errors={fields.code.errors}
          autoComplete="off"
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
        <div className="auth__pair">
          <Field
            {...getInputProps(fields.firstName, { type: "text" })}
            key={fields.firstName.key}
            label={copy.firstName}
            errors={fields.firstName.errors}
            autoComplete="given-name"
            isLarge
          />
          <Field
            {...getInputProps(fields.lastName, { type: "text" })}
            key={fields.lastName.key}
            label={copy.lastName}
            errors={fields.lastName.errors}
            autoComplete="family-name"
            isLarge
          />
        </div>
        <Button
          type="submit"
          variant="solid"
          size="l"
          isWide
          isBusy={isBusy}
          aria-disabled={!isValid || !check.isGood}
        >
          {copy.submit}
        </Button>
      </form>
      <FailureAlert title={copy.failedTitle} close={copy.close} text={failure} onClose={forget} />
    </>
  );
}

/** The one sending of the form; done, the person signs in with what they have just chosen. */
function useSetup() {
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  async function send(form: InviteForm) {
    setIsBusy(true);
    try {
      await completeInvitation(callApi, form);
      endMarker(browserStores());
      notify(copy.done);
      navigate("/auth/login", { replace: true });
    } catch (error) {
      setFailure(error instanceof ApiError ? errorText(error.message) : signInCopy.somethingWrong);
      setIsBusy(false);
    }
  }
  return { send, isBusy, failure, forget: () => setFailure(null) };
}
