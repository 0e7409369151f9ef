import { Form, useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { connectorCopy as copy } from "#app/copy/connector.ts";
import type { ConnectorApp } from "./queries.server.ts";

/**
 * Step 1: select the application (spec B-078). A platform that shows the product in a frame sets `jiraInIframe=true` in
 * the URL, and is preselected (spec B-082).
 */
export function SelectApp({ apps }: { apps: readonly ConnectorApp[] }) {
  const [search] = useSearchParams();
  const offered = apps.filter((app) => obstacleTo(app) === null);
  const framing = offered.find(({ id }) => search.get(`${id}InIframe`) === "true");
  const first = (framing ?? offered[0])?.id ?? "";
  const [chosen, setChosen] = useState(first);
  return (
    <Form method="get">
      <fieldset>
        <legend>
          <h2>{copy.appQuestion}</h2>
        </legend>
        <div className="app-cards" style={{ marginTop: 20 }}>
          {apps.map((app) => (
            <AppCard key={app.id} app={app} isChosen={chosen === app.id} onChoose={() => setChosen(app.id)} />
          ))}
        </div>
      </fieldset>
      <div className="form-actions">
        <Button
          type="submit"
          variant="solid"
          size="l"
          className="push"
          reason={chosen === "" ? copy.notAllowed : null}
        >
          {copy.next}
        </Button>
      </div>
    </Form>
  );
}

function AppCard({
  app,
  isChosen,
  onChoose,
}: {
  app: ConnectorApp;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const obstacle = obstacleTo(app);
  const state = obstacle ?? stateOf(app);
  return (
    <label className={obstacle === null ? "choice" : "choice is-dim"}>
      <input
        type="radio"
        name="platform"
        value={app.id}
        checked={isChosen}
        disabled={obstacle !== null}
        onChange={onChoose}
      />
      <span className="choice__head">
        <PlatformMark platform={app.id} />
        {app.label}
        <span className="radio" />
      </span>
      {state !== null && <span className="meta">{state}</span>}
    </label>
  );
}

/** Why the member cannot open a platform here; null = nothing. A connected one can be looked at. */
function obstacleTo({ canManage, mayConnect, accounts }: ConnectorApp): string | null {
  if (!mayConnect && accounts.length === 0) return copy.ownerConnects;
  return canManage ? null : copy.notAllowed;
}

function stateOf({ accounts }: ConnectorApp): string | null {
  const [first] = accounts;
  if (first === undefined) return null;
  if (accounts.some(({ isRevoked }) => isRevoked)) return copy.revoked;
  return accounts.length > 1 ? copy.connectedCount(accounts.length) : copy.connected(first.name);
}
