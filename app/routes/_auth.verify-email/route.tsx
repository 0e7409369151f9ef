import type { MetaFunction } from "@remix-run/cloudflare";
import { Link, useLocation, useNavigate, useSearchParams } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { ApiError, callApi } from "#app/api/call-api.ts";
import { errorText } from "#app/api/error-text.ts";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { verifyCopy as copy } from "#app/copy/auth.ts";
import { readLink } from "#app/routes/_auth/read-link.ts";
import { ResendForm } from "#app/routes/_auth/resend-form.tsx";

export const meta: MetaFunction = () => [{ title: "Email confirmation · Holdfast" }];

/** How long a failure is shown before the visitor is taken to sign in, in ms (spec A-148). */
const FAILURE_MS = 6_000;

/** The hash under which this page asks for a new link (spec A-048). */
const RESEND_HASH = "#resend_verification";

/** The page that the link in the mail opens: it confirms the email by itself (spec ). */
export default function VerifyEmail() {
  const { hash } = useLocation();
  /* The hash never reaches the server: until the browser has read it, the page only says that it is at work. */
  const [shown, setShown] = useState<"nothing" | "confirming" | "resend">("nothing");
  useEffect(() => setShown(hash === RESEND_HASH ? "resend" : "confirming"), [hash]);
  if (shown === "resend") {
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
  return (
    <div className="auth__panel">
      <h1>{copy.title}</h1>
      {shown === "confirming" ? <Confirming onResend={() => setShown("resend")} /> : <Working />}
    </div>
  );
}

function Confirming({ onResend }: { onResend: () => void }) {
  const failure = useConfirmation();
  if (failure === null) return <Working />;
  return (
    <>
      <Callout tone="bad">
        <p className="medium">{copy.failedTitle}</p>
        <p>{failure}</p>
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
    </>
  );
}

function Working() {
  return (
    <div className="stack" role="status">
      <p className="soft">{copy.busy}</p>
      <div className="progress is-unknown">
        <i />
      </div>
    </div>
  );
}

/** Sends what the link carries, once; answers why it failed, and null while it runs or when it succeeded. */
function useConfirmation(): string | null {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string | null>(null);
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    const link = readLink(search);
    if (link === null) return setFailure(copy.incomplete);
    callApi("email-verification", { method: "POST", body: link, isQuiet: true }).then(
      () => navigate("/auth/login?isConfirmed=true", { replace: true }),
      (cause) => setFailure(failureOf(cause)),
    );
  }, [search, navigate]);
  useEffect(() => {
    if (failure === null) return;
    const timer = setTimeout(() => navigate("/auth/login", { replace: true }), FAILURE_MS);
    return () => clearTimeout(timer);
  }, [failure, navigate]);
  return failure;
}

/** The server's sentence, or that something went wrong when it has none (spec A-444). */
function failureOf(cause: unknown): string {
  const isTold = cause instanceof ApiError && cause.code !== "err.internal" && cause.message !== "";
  return isTold ? errorText(cause.message) : copy.somethingWrong;
}
