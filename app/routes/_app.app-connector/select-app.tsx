import { Form, Link, useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { connectorCopy as copy } from "#app/copy/connector.ts";
import { usd } from "#app/money/usd.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { ConnectorApp } from "./queries.server.ts";
import "./select-app.css";

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
        <div className="app-rows">
          {apps.map((app) => (
            <AppRow key={app.id} app={app} isChosen={chosen === app.id} onChoose={() => setChosen(app.id)} />
          ))}
        </div>
      </fieldset>
      <div className="form-actions">
        {chosen !== "" && (
          <Link className="link" to={`/platform/coverage/${chosen}`}>
            {copy.covered}
          </Link>
        )}
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

function AppRow({ app, isChosen, onChoose }: { app: ConnectorApp; isChosen: boolean; onChoose: () => void }) {
  const obstacle = obstacleTo(app);
  const state = obstacle ?? stateOf(app) ?? priceOf(app);
  return (
    <label className={obstacle === null ? "choice app-row" : "choice app-row is-dim"}>
      <input
        type="radio"
        name="platform"
        value={app.id}
        checked={isChosen}
        disabled={obstacle !== null}
        onChange={onChoose}
        aria-labelledby={`app-${app.id}`}
        aria-describedby={`app-${app.id}-summary${state === null ? "" : ` app-${app.id}-state`}`}
      />
      <span className="radio" />
      <PlatformMark platform={app.id} size="l" />
      <span className="app-row__name">
        <span id={`app-${app.id}`}>{app.label}</span>
        <span id={`app-${app.id}-summary`} className="meta">
          {summaryOf(app.id)}
        </span>
      </span>
      {state !== null && (
        <span id={`app-${app.id}-state`} className="meta app-row__state">
          {state}
        </span>
      )}
    </label>
  );
}

const summaryOf = (platform: string) => descriptors.find(({ id }) => id === platform)?.summary;

/** Why the member cannot open a platform here; null = nothing. A connected one can be looked at. */
function obstacleTo({ canManage, mayConnect, accounts }: ConnectorApp): string | null {
  if (!mayConnect && accounts.length === 0) return copy.ownerConnects;
  return canManage ? null : copy.notAllowed;
}

function priceOf({ offer }: ConnectorApp): string | null {
  if (offer === null) return null;
  const { cents, upTo, item } = offer;
  const amount = usd(cents).replace(/\.00$/, "");
  return upTo === null ? copy.priceEach(amount, item?.one ?? copy.user) : copy.priceMonthly(amount);
}

function stateOf({ accounts }: ConnectorApp): string | null {
  const [first] = accounts;
  if (first === undefined) return null;
  if (accounts.some(({ isRevoked }) => isRevoked)) return copy.revoked;
  return accounts.length > 1 ? copy.connectedCount(accounts.length) : copy.connected(first.name);
}
