import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { callApi } from "#app/api/call-api.ts";
import { signUpCopy as copy, signInCopy } from "#app/copy/auth.ts";
import { pushMarketingEvent } from "#app/marketing/data-layer.ts";
import { AccountForm } from "#app/routes/_auth/account-form.tsx";
import { useEmbedded } from "#app/routes/_auth/use-embedded.ts";
import { GoogleLink } from "#app/routes/_auth.auth.login/google-link.tsx";
import { waysIn } from "#app/routes/_auth.auth.login/queries.server.ts";
import { AppPicks } from "./app-picks.tsx";
import { type SignUpForm, signUpFormSchema } from "./form.schema.ts";
import { ProtectedApps } from "./protected-apps.tsx";
import { signUp } from "./sign-up-calls.ts";
import { SignUpDone } from "./sign-up-done.tsx";

export const meta: MetaFunction = () => [{ title: "Sign up · Holdfast" }];

export const loader = ({ context, request }: LoaderFunctionArgs) => ({
  ...waysIn(context, request),
  hasMarketing: context.services.settings.MARKETING_EVENTS === "on",
});

export default function SignUp() {
  const { hasMarketing, ...ways } = useLoaderData<typeof loader>();
  const isEmbedded = useEmbedded();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [isDone, setIsDone] = useState(false);
  async function send(form: SignUpForm) {
    await signUp(callApi, form, { isEmbedded, now: Date.now() });
    pushMarketingEvent(window, hasMarketing, { event: "sign_up", apps: form.apps });
    setIsDone(true);
  }
  if (isDone) return <SignUpDone isEmbedded={isEmbedded} />;
  return (
    <>
      <AccountForm
        id="sign-up"
        schema={signUpFormSchema}
        title={copy.title}
        lead={copy.lead}
        submit={copy.submit}
        onSend={send}
        more={({ apps }) => (
          <AppPicks
            name={apps.name}
            errors={apps.errors}
            onPick={(app, isPicked) => setPicked(withOrWithout(picked, app, isPicked))}
          />
        )}
        after={
          <>
            {!isEmbedded && <Agreement />}
            {ways.google && (
              <div className="auth__alternatives">
                <p className="or">{signInCopy.or}</p>
                <GoogleLink label={copy.google} next={null} />
              </div>
            )}
          </>
        }
      />
      <ProtectedApps picked={picked} />
      <p className="auth__after">
        {copy.known}{" "}
        <Link className="link" to="/auth/login">
          {copy.signIn}
        </Link>
        .
      </p>
    </>
  );
}

function withOrWithout(picked: ReadonlySet<string>, app: string, isPicked: boolean) {
  const next = new Set(picked);
  if (isPicked) next.add(app);
  else next.delete(app);
  return next;
}

/** The terms that sign-up agrees to (spec ). A marketplace app has its own terms (spec A-032). */
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
