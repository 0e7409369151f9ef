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
  const offered = apps.filter(({ canManage }) => canManage);
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
          {apps.map(({ id, label, canManage, accounts }) => (
            <label key={id} className={canManage ? "choice" : "choice is-dim"}>
              <input
                type="radio"
                name="platform"
                value={id}
                checked={chosen === id}
                disabled={!canManage}
                onChange={() => setChosen(id)}
              />
              <span className="choice__head">
                <PlatformMark platform={id} />
                {label}
                <span className="radio" />
              </span>
              {!canManage && <span className="meta">{copy.notAllowed}</span>}
              {canManage && accounts[0] && (
                <span className="meta">
                  {accounts.some(({ isRevoked }) => isRevoked)
                    ? copy.revoked
                    : accounts.length > 1
                      ? copy.connectedCount(accounts.length)
                      : copy.connected(accounts[0].name)}
                </span>
              )}
            </label>
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
