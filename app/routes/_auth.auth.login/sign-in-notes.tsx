import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { signInCopy as copy } from "#app/copy/auth.ts";
import { failureCopy } from "#app/copy/shared.ts";
import type { SignInTrouble } from "./sign-in-calls.ts";
import { loadFlow } from "./use-sign-in.ts";

/** The note above the fields after a failed sign-in that has no dialog. */
export function SignInNotes({ trouble }: { trouble: SignInTrouble | null }) {
  if (trouble === null) return null;
  if (trouble.kind === "unconfirmed") return <Unconfirmed key={trouble.email} email={trouble.email} />;
  return <Callout tone="bad">{trouble.text}</Callout>;
}

/** The warning for a user who has not confirmed their e-mail yet (spec ). */
function Unconfirmed({ email }: { email: string }) {
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ isSent: boolean; text: string } | null>(null);
  async function resend() {
    setIsBusy(true);
    const flow = await loadFlow().catch(() => null);
    setOutcome(flow ? await flow.resend(email) : { isSent: false, text: failureCopy.script });
    setIsBusy(false);
  }
  return (
    <Callout tone="warn">
      <div className="stack">
        <p role="alert">
          <b className="medium">{copy.unconfirmed}.</b> {copy.unconfirmedHelp}
        </p>
        {outcome && (
          <p className={outcome.isSent ? "ok-t" : "bad-t"} role="status">
            {outcome.text}
          </p>
        )}
        {!outcome?.isSent && (
          <span>
            <Button isBusy={isBusy} onClick={() => void resend()}>
              {copy.resend}
            </Button>
          </span>
        )}
      </div>
    </Callout>
  );
}
