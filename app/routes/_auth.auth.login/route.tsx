import { getFormProps, getInputProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, Link, useActionData, useLoaderData, useNavigation, useSearchParams } from "@remix-run/react";
import { lazy, Suspense, useEffect, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Checkbox } from "#app/components/checkbox.tsx";
import { Field } from "#app/components/field.tsx";
import { PasswordField } from "#app/components/password-field.tsx";
import { notify } from "#app/components/toasts.ts";
import { signInCopy as copy } from "#app/copy/auth.ts";
import { signInPath } from "#app/session/safe-next.ts";
import { logIn } from "./actions.server.ts";
import { DOMAIN_FAILURE, failureText } from "./failure-text.ts";
import { loginFormSchema } from "./form.schema.ts";
import { OtherWays } from "./other-ways.tsx";
import { waysIn } from "./queries.server.ts";
import { answerCall, challengeCall } from "./sign-in-calls.ts";
import { SignInNotes } from "./sign-in-notes.tsx";
import { useSignIn } from "./use-sign-in.ts";
import { WrongCredentials } from "./wrong-credentials.tsx";

export const meta: MetaFunction = () => [{ title: "Sign in · Holdfast" }];

export const loader = ({ context, request }: LoaderFunctionArgs) => waysIn(context, request);

/** Signs in before any script has run; with scripts the page asks the identity service itself. */
export const action = ({ context, request }: ActionFunctionArgs) => logIn(context, request);

/** Fetched for the accounts that have a second factor. */
const TwoFactorDialog = lazy(() =>
  import("./two-factor-dialog.tsx").then((module) => ({ default: module.TwoFactorDialog })),
);

export default function Login() {
  const ways = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [search] = useSearchParams();
  const next = search.get("next");
  const failure = search.get("failure");
  const flow = useSignIn(next);
  const isBusy = useNavigation().state !== "idle" || flow.isBusy;
  const [form, fields] = useForm({
    id: "login",
    lastResult: answer?.form,
    onValidate: ({ formData }) => parseWithZod(formData, { schema: loginFormSchema }),
    onSubmit: (event, { submission }) => {
      if (submission?.status !== "success") return;
      event.preventDefault();
      if (!isBusy) void flow.signIn(submission.value);
    },
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
  });
  useArrival(search, flow.ask);
  const isAtDomain = failure === DOMAIN_FAILURE && ways.enterprise;
  const trouble = flow.trouble ?? (answer?.trouble && !isBusy ? answer.trouble : null);
  /* The dialog tells what the browser asked for; a form that was sent without scripts is answered in the page. */
  const refused = flow.trouble?.kind === "refused" ? flow.trouble.text : null;
  return (
    <>
      <div className="auth__panel">
        <Form method="post" className="auth__form" {...getFormProps(form)}>
          <h1>{copy.title}</h1>
          {next && <Callout>{copy.returning}</Callout>}
          {failure && !trouble && !isAtDomain && <Callout tone="bad">{failureText(failure)}</Callout>}
          <SignInNotes trouble={refused === null ? trouble : null} />
          {next && <input type="hidden" name="next" value={next} />}
          <Field
            {...getInputProps(fields.email, { type: "email" })}
            key={fields.email.key}
            label={copy.email}
            errors={fields.email.errors}
            autoComplete="username"
            isLarge
          />
          <PasswordField
            {...getInputProps(fields.password, { type: "password" })}
            key={fields.password.key}
            label={copy.password}
            aside={
              <Link className="link" to="/auth/password-recovery">
                {copy.forgot}
              </Link>
            }
            errors={fields.password.errors}
            autoComplete="current-password"
            isLarge
          />
          <span className="row">
            <Checkbox name="rememberMe" id="remember" />
            <label htmlFor="remember">{copy.remember}</label>
          </span>
          <Button type="submit" variant="solid" size="l" isWide isBusy={isBusy}>
            {copy.submit}
          </Button>
        </Form>
        <OtherWays ways={ways} next={next} failure={failure} />
      </div>
      <p className="auth__after">
        {copy.isNew}{" "}
        <Link className="link" to="/auth/sign-up">
          {copy.signUp}
        </Link>{" "}
        {copy.and}{" "}
        <Link className="link" to="/auth/sign-up">
          {copy.trial}
        </Link>
        .
      </p>
      <WrongCredentials text={refused} onClose={flow.forget} />
      {flow.challenge && (
        <Suspense fallback={null}>
          <TwoFactorDialog
            isOpen
            expiresAt={flow.challenge.expiresAt}
            answer={answerCall}
            onAccepted={flow.accept}
            onCancel={flow.cancel}
            onReload={() => window.location.assign(signInPath(next ?? "/"))}
          />
        </Suspense>
      )}
    </>
  );
}

/** What the address asks for: the word after a confirmed email, or the second factor of a sign-in that began elsewhere. */
function useArrival(search: URLSearchParams, ask: ReturnType<typeof useSignIn>["ask"]): void {
  const isConfirmed = search.get("isConfirmed") === "true";
  const isChallenged = search.get("challenge") === "1";
  const [isAsked, setIsAsked] = useState(false);
  useEffect(() => {
    if (isConfirmed) notify(copy.confirmed);
  }, [isConfirmed]);
  useEffect(() => {
    if (!isChallenged || isAsked) return;
    setIsAsked(true);
    challengeCall().then(
      (expiresAt) => ask({ expiresAt, isRemembered: false }),
      () => ask({ expiresAt: 0, isRemembered: false }),
    );
  }, [isChallenged, isAsked, ask]);
}
