import { Link, useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { Callout } from "#app/components/callout.tsx";
import { signUpCopy as copy } from "#app/copy/auth.ts";

/** How long the message is shown before the redirect to sign-in, in ms (spec A-435). */
const DONE_MS = 3_000;

/** The success message, shown for three seconds or until the link is clicked (spec ). */
export function SignUpDone({ isEmbedded }: { isEmbedded: boolean }) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => navigate("/auth/login"), DONE_MS);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <div className="auth__panel">
      <h1>{copy.title}</h1>
      <Callout tone="run">
        <p role="status">{isEmbedded ? copy.doneRestricted : copy.done}</p>
      </Callout>
      <p className="soft">
        {copy.doneNext}{" "}
        <Link className="link" to="/auth/login">
          {copy.signIn}
        </Link>
      </p>
    </div>
  );
}
