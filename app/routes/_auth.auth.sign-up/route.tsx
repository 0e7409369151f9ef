import { getFormProps, getInputProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { ApiError, callApi } from "#app/api/call-api.ts";
import { errorText } from "#app/api/error-text.ts";
import { Button } from "#app/components/button.tsx";
import { Field } from "#app/components/field.tsx";
import { usePasswordCheck } from "#app/components/use-password-check.ts";
import { type AppToProtect, signUpCopy as copy, signInCopy } from "#app/copy/auth.ts";
import { FailureAlert } from "#app/routes/_auth/failure-alert.tsx";
import { NewPasswordField } from "#app/routes/_auth/new-password-field.tsx";
import { useRestricted } from "#app/routes/_auth/use-restricted.ts";
import { GoogleLink } from "#app/routes/_auth.auth.login/google-link.tsx";
import { waysIn } from "#app/routes/_auth.auth.login/queries.server.ts";
import { AppPicks } from "./app-picks.tsx";
import { type SignUpForm, signUpFormSchema } from "./form.schema.ts";
import { ProtectedApps } from "./protected-apps.tsx";
import { signUp } from "./sign-up-calls.ts";
import { SignUpDone } from "./sign-up-done.tsx";

export const meta: MetaFunction = () => [{ title: "Sign up · Holdfast" }];

export const loader = ({ context, request }: LoaderFunctionArgs) => waysIn(context, request);

export default function SignUp() {
  const ways = useLoaderData<typeof loader>();
  const isEmbedded = useRestricted();
  const [picked, setPicked] = useState<ReadonlySet<AppToProtect>>(new Set());
  const { send, isBusy, isDone, failure, forget } = useSending(isEmbedded);
  const [password, setPassword] = useState("");
  const check = usePasswordCheck(password);
  const [isValid, setIsValid] = useState(false);
  const [form, fields] = useForm({
    id: "sign-up",
    onValidate: ({ formData }) => parseWithZod(formData, { schema: signUpFormSchema }),
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
    setIsValid(parseWithZod(typed, { schema: signUpFormSchema }).status === "success");
  }
  if (isDone) return <SignUpDone isEmbedded={isEmbedded} />;
  return (
    <>
      <form method="post" className="auth__panel" {...getFormProps(form)} onInput={look}>
        <div>
          <h1>{copy.title}</h1>
          <p className="soft">{copy.lead}</p>
        </div>
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
        <Field
          {...getInputProps(fields.email, { type: "email" })}
          key={fields.email.key}
          label={copy.email}
          errors={fields.email.errors}
          autoComplete="username"
          isLarge
        />
        <AppPicks
          name={fields.apps.name}
          errors={fields.apps.errors}
          onPick={(app, isPicked) => setPicked(withOrWithout(picked, app, isPicked))}
        />
        <NewPasswordField
          {...getInputProps(fields.password, { type: "password" })}
          key={fields.password.key}
          label={copy.password}
          check={check}
          isEmpty={password === ""}
        />
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
        {!isEmbedded && <Agreement />}
        {ways.google && (
          <div className="auth__alternatives">
            <p className="or">{signInCopy.or}</p>
            <GoogleLink label={copy.google} next={null} />
          </div>
        )}
      </form>
      <ProtectedApps picked={picked} />
      <p className="auth__after">
        {copy.known}{" "}
        <Link className="link" to="/auth/login">
          {copy.signIn}
        </Link>
        .
      </p>
      <FailureAlert title={copy.failedTitle} close={copy.close} text={failure} onClose={forget} />
    </>
  );
}

function withOrWithout(picked: ReadonlySet<AppToProtect>, app: AppToProtect, isPicked: boolean) {
  const next = new Set(picked);
  if (isPicked) next.add(app);
  else next.delete(app);
  return next;
}

/** The one sending of the form: under way, done, or why not. */
function useSending(isEmbedded: boolean) {
  const [state, setState] = useState<"open" | "busy" | "done">("open");
  const [failure, setFailure] = useState<string | null>(null);
  async function send(form: SignUpForm) {
    setState("busy");
    setFailure(null);
    try {
      await signUp(callApi, form, { isEmbedded, now: Date.now() });
      setState("done");
    } catch (error) {
      setFailure(error instanceof ApiError ? errorText(error.message) : signInCopy.somethingWrong);
      setState("open");
    }
  }
  const forget = () => setFailure(null);
  return { send, failure, forget, isBusy: state === "busy", isDone: state === "done" };
}

/** What signing up agrees to (spec ); a marketplace app has its own terms (spec A-032). */
function Agreement() {
  return (
    <p className="auth__small">
      {copy.agreeStart}{" "}
      <Link className="link" to="/terms">
        {copy.terms}
      </Link>
      ,{" "}
      <Link className="link" to="/sla">
        {copy.sla}
      </Link>{" "}
      {copy.agreeAnd}{" "}
      <Link className="link" to="/privacy">
        {copy.privacy}
      </Link>
      .
    </p>
  );
}
