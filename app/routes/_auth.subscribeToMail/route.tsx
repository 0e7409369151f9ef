import type { MetaFunction } from "@remix-run/cloudflare";
import { Link, useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { callApi } from "#app/api/call-api.ts";
import { useOnArrival } from "#app/api/use-on-arrival.ts";
import { Callout } from "#app/components/callout.tsx";
import { subscribeCopy as copy } from "#app/copy/auth.ts";
import { readLink } from "#app/routes/_auth/read-link.ts";

export const meta: MetaFunction = () => [{ title: "Email reports · Holdfast" }];

type Outcome = { kind: "busy" } | { kind: "done"; text: string } | { kind: "failed"; text: string };

/** The page behind a report's link: stops the reports or starts them again (spec, B-279). */
export default function SubscribeToMail() {
  const outcome = useChange();
  return (
    <div className="auth__panel">
      <h1>{copy.title}</h1>
      {outcome.kind === "busy" && (
        <div className="stack" role="status">
          <p className="soft">{copy.busy}</p>
          <div className="progress is-unknown">
            <i />
          </div>
        </div>
      )}
      {outcome.kind === "failed" && <Callout tone="bad">{outcome.text}</Callout>}
      {outcome.kind === "done" && (
        <div className="stack" role="status">
          <p className="medium">{outcome.text}</p>
          <p className="soft">{copy.settings}</p>
        </div>
      )}
      {outcome.kind !== "busy" && (
        <Link className="link" to="/settings">
          {copy.toSettings}
        </Link>
      )}
    </div>
  );
}

/** Sends the link's values, once. */
function useChange(): Outcome {
  const [search] = useSearchParams();
  const [outcome, setOutcome] = useState<Outcome>({ kind: "busy" });
  useOnArrival(() => {
    const link = readLink(search);
    if (link === null) return setOutcome({ kind: "failed", text: copy.incomplete });
    callApi("PUT subscribe-mail-sending", link, { isQuiet: true }).then(
      ({ message }) => setOutcome({ kind: "done", text: message ?? copy.changed }),
      () => setOutcome({ kind: "failed", text: copy.failed }),
    );
  });
  return outcome;
}
