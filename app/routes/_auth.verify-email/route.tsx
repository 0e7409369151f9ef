import type { MetaFunction } from "@remix-run/cloudflare";
import { Link, useLocation, useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import { callApi } from "#app/api/call-api.ts";
import { useOnArrival } from "#app/api/use-on-arrival.ts";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { verifyCopy as copy } from "#app/copy/auth.ts";
import { readLink } from "#app/routes/_auth/read-link.ts";
import { ResendForm } from "#app/routes/_auth/resend-form.tsx";
import { FinishSignUp } from "./finish-sign-up.tsx";
import { CONFIRMED_PATH, type Verdict, verify } from "./verify-calls.ts";

export const meta: MetaFunction = () => [{ title: "Email confirmation · Holdfast" }];

/** How long an error is shown before the redirect to sign-in, in ms (spec A-148). */
const FAILURE_MS = 6_000;

/** The URL hash that shows the form for a new link (spec A-048). */
const RESEND_HASH = "#resend_verification";

/** The page behind the e-mailed link: confirms the e-mail automatically (spec ). */
export default function VerifyEmail() {
  const { hash } = useLocation();
  /* The hash never reaches the server, so a loading message is shown until the browser has read it. */
  const [shown, setShown] = useState<"nothing" | "confirming" | "resend">("nothing");
  useEffect(() => setShown(hash === RESEND_HASH ? "resend" : "confirming"), [hash]);
  if (shown === "confirming") return <Confirming onResend={() => setShown("resend")} />;
  if (shown === "nothing") return <Working />;
  return (
    <div className="auth__panel">
      <h1>{copy.resendTitle}</h1>
      <ResendForm />
      <Link className="link" to="/auth/login">
        {copy.signIn}
      </Link>
    </div>
  );
}

function Confirming({ onResend }: { onResend: () => void }) {
  const [search] = useSearchParams();
  const link = readLink(search);
  const verdict = useVerdict(link);
  if (verdict?.kind === "password_needed" && link) return <FinishSignUp link={link} waiting={verdict} />;
  if (verdict?.kind !== "failed") return <Working />;
  return (
    <div className="auth__panel">
      <h1>{copy.title}</h1>
      <Callout tone="bad">
        <p className="medium">{copy.failedTitle}</p>
        <p>{verdict.text}</p>
      </Callout>
      <p className="soft">{copy.next}</p>
      <div className="auth__alternatives">
        <Link className={buttonClass({ variant: "solid", size: "l", isWide: true })} to="/auth/login">
          {copy.signIn}
        </Link>
        <Button size="l" isWide onClick={onResend}>
          {copy.resend}
        </Button>
      </div>
    </div>
  );
}

function Working() {
  return (
    <div className="auth__panel">
      <h1>{copy.title}</h1>
      <div className="stack" role="status">
        <p className="soft">{copy.busy}</p>
        <div className="progress is-unknown">
          <i />
        </div>
      </div>
    </div>
  );
}

/** Sends the link's values once, and redirects on success or failure; null while the call runs. */
function useVerdict(link: ReturnType<typeof readLink>): Verdict | null {
  const navigate = useNavigate();
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  useOnArrival(() => {
    if (link === null) return setVerdict({ kind: "failed", text: copy.incomplete });
    void verify(callApi, link).then(setVerdict);
  });
  useEffect(() => {
    if (verdict?.kind === "confirmed") return navigate(CONFIRMED_PATH, { replace: true });
    if (verdict?.kind !== "failed") return;
    const timer = setTimeout(() => navigate("/auth/login", { replace: true }), FAILURE_MS);
    return () => clearTimeout(timer);
  }, [verdict, navigate]);
  return verdict;
}
