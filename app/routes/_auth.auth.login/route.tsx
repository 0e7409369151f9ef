import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, Link, useActionData, useLoaderData, useNavigation, useSearchParams } from "@remix-run/react";
import { type FormEvent, lazy, Suspense, useEffect, useState } from "react";
import { useOnArrival } from "#app/api/use-on-arrival.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Checkbox } from "#app/components/checkbox.tsx";
import { lazyDialog } from "#app/components/dialog.tsx";
import { Field } from "#app/components/field.tsx";
import { notify } from "#app/components/toasts.ts";
import { signInCopy as copy } from "#app/copy/auth.ts";
import { PasswordField } from "#app/password/password-field.tsx";
import { useEmbedded } from "#app/routes/_auth/use-embedded.ts";
import { signInPath } from "#app/session/safe-next.ts";
import { logIn } from "./actions.server.ts";
import { OtherWays } from "./other-ways.tsx";
import { waysIn } from "./queries.server.ts";
import type { Credentials } from "./sign-in-calls.ts";
import type { LoginErrors } from "./sign-in-flow.ts";
import { SignInNotes } from "./sign-in-notes.tsx";
import { loadFlow, useSignIn } from "./use-sign-in.ts";

export const meta: MetaFunction = () => [{ title: "Sign in · Holdfast" }];

export const loader = ({ context, request }: LoaderFunctionArgs) => waysIn(context, request);

/** Handles sign-in before scripts have loaded. With scripts, the page calls the identity service itself. */
export const action = ({ context, request }: ActionFunctionArgs) => logIn(context, request);

/** Loaded when credentials were rejected. */
const WrongCredentials = lazyDialog(() => import("./wrong-credentials.tsx"));

/** Loaded for accounts with a second factor. */
const TwoFactorDialog = lazy(() =>
  import("./two-factor-dialog.tsx").then((module) => ({ default: module.TwoFactorDialog })),
);

export default function Login() {
  const ways = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const isEmbedded = useEmbedded();
  const [search] = useSearchParams();
  const next = search.get("next");
  const flow = useSignIn(next);
  const isBusy = useNavigation().state !== "idle" || flow.isBusy;
  const { form, errors } = useLoginForm(answer?.form.error ?? {}, (credentials) => {
    if (!isBusy) void flow.signIn(credentials);
  });
  useArrival(search, flow.ask);
  const failure = ways.failure;
  const trouble = flow.trouble ?? (answer?.trouble && !isBusy ? answer.trouble : null);
  /* The dialog shows errors of scripted requests. A form submitted without scripts shows them in the page. */
  const refused = flow.trouble?.kind === "refused" ? flow.trouble.text : null;
  return (
    <>
      <div className="auth__panel">
        <Form method="post" className="auth__form" {...form}>
          <h1>{copy.title}</h1>
          {!isEmbedded && (
            <p className="soft">
              {copy.about}{" "}
              <Link className="link" to="/welcome">
                {copy.more}
              </Link>
            </p>
          )}
          {next && <Callout>{copy.returning}</Callout>}
          {failure && !trouble && !failure.isAtDomain && <Callout tone="bad">{failure.text}</Callout>}
          <SignInNotes trouble={refused === null ? trouble : null} />
          {next && <input type="hidden" name="next" value={next} />}
          <Field
            name="email"
            type="email"
            defaultValue={String(answer?.form.initialValue?.email ?? "")}
            label={copy.email}
            errors={errors.email}
            autoComplete="username"
            isLarge
          />
          <PasswordField
            name="password"
            label={copy.password}
            aside={
              <Link className="link" to="/auth/password-recovery">
                {copy.forgot}
              </Link>
            }
            errors={errors.password}
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
        <OtherWays ways={ways} next={next} domainFailure={failure?.isAtDomain ? failure.text : null} />
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
      <WrongCredentials isOpen={refused !== null} text={refused} onClose={flow.forget} />
      {flow.challenge && (
        <Suspense fallback={null}>
          <TwoFactorDialog
            isOpen
            expiresAt={flow.challenge.expiresAt}
            answer={async (code) => (await loadFlow()).answerCall(code)}
            onAccepted={flow.accept}
            onCancel={flow.cancel}
            onReload={() => window.location.assign(signInPath(next ?? "/"))}
          />
        </Suspense>
      )}
    </>
  );
}

/** Handles the URL's parameters: the message after a confirmed e-mail, or the second factor of a federated sign-in. */
function useArrival(search: URLSearchParams, ask: ReturnType<typeof useSignIn>["ask"]): void {
  const isConfirmed = search.get("isConfirmed") === "true";
  const isChallenged = search.get("challenge") === "1";
  useEffect(() => {
    if (isConfirmed) notify(copy.confirmed);
  }, [isConfirmed]);
  useOnArrival(() => {
    loadFlow()
      .then(({ challengeCall }) => challengeCall())
      .then(
        (expiresAt) => ask({ expiresAt, isRemembered: false }),
        () => ask({ expiresAt: 0, isRemembered: false }),
      );
  }, isChallenged);
}

/**
 * The two fields. Errors appear on blur and are then updated on every keystroke. `found` holds the server's errors for
 * a form submitted without scripts.
 */
function useLoginForm(found: Record<string, string[] | null>, send: (credentials: Credentials) => void) {
  const [told, setTold] = useState<ReadonlySet<string>>(() => new Set(Object.keys(found)));
  const [errors, setErrors] = useState<LoginErrors>(() => found as LoginErrors);
  async function judge(form: HTMLFormElement, fields: ReadonlySet<string>) {
    const { readLogin } = await loadFlow();
    const read = readLogin(new FormData(form));
    setTold(fields);
    setErrors(Object.fromEntries(Object.entries(read.errors).filter(([field]) => fields.has(field))));
    return read.credentials;
  }
  const form = {
    noValidate: true,
    onFocus: () => void loadFlow(),
    onBlur: (event: FormEvent<HTMLFormElement>) => {
      const { name } = event.target as HTMLInputElement;
      if (name === "email" || name === "password") void judge(event.currentTarget, new Set([...told, name]));
    },
    onInput: (event: FormEvent<HTMLFormElement>) => {
      if (told.size > 0) void judge(event.currentTarget, told);
    },
    onSubmit: async (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const form = event.currentTarget;
      // Without its script, the form is sent as a browser without scripts sends it.
      const credentials = await judge(form, new Set(["email", "password"])).catch(() => form.submit());
      if (credentials) send(credentials);
    },
  };
  return { form, errors };
}
