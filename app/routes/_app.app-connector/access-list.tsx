import { CircleCheck, CircleX } from "lucide-react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { accountCopy } from "#app/copy/accounts.ts";
import type { AuthMethod } from "#connectors/contract/descriptor.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { ConnectSite, useSiteMethod } from "./connect-site.tsx";
import type { ConnectorAccount, ConnectorApp } from "./queries.server.ts";
import { useConsent } from "./use-consent.ts";

const copy = accountCopy.access;

/** The ways in which the account grants access, where a platform has several. The owner can add or renew one. */
export function AccessList({ app, account }: { app: ConnectorApp; account: ConnectorAccount }) {
  const methods = descriptors.find(({ id }) => id === app.id)?.authMethods ?? [];
  if (methods.length < 2) return null;
  return (
    <section className="account-card__note" aria-label={copy.title}>
      <h2 className="field__label">{copy.title}</h2>
      <ul className="access-lines">
        {methods.map((method) => (
          <AccessLine key={method.id} app={app} account={account} method={method} />
        ))}
      </ul>
    </section>
  );
}

function AccessLine({
  app,
  account,
  method,
}: {
  app: ConnectorApp;
  account: ConnectorAccount;
  method: AuthMethod;
}) {
  const held = account.credentials.find(({ authMethod }) => authMethod === method.id);
  const state = held === undefined ? "absent" : held.isWorking ? "works" : "lost";
  const consent = useConsent({ platform: app.id, connectionId: account.id }, { authMethod: method.id });
  const isOfFrame = useSiteMethod(app.id)?.id === method.id;
  return (
    <li>
      <div>
        <p className="medium">{method.label}</p>
        <p className="meta">{method.text}</p>
        {consent.error && <Callout tone="bad">{consent.error}</Callout>}
      </div>
      <AccessState state={state} />
      {app.isOwner && isOfFrame && <ConnectSite platform={app.id} isSmall />}
      {app.isOwner && !isOfFrame && (
        <Button
          size="s"
          variant={state === "lost" ? "solid" : "outline"}
          isBusy={consent.isBusy}
          onClick={consent.go}
        >
          {copy.act[state]}
          <span className="sr"> {method.label}</span>
        </Button>
      )}
    </li>
  );
}

function AccessState({ state }: { state: "works" | "lost" | "absent" }) {
  if (state === "absent") return <span className="meta">{copy.state.absent}</span>;
  const isLost = state === "lost";
  return (
    <span className={`badge ${isLost ? "badge-bad" : "badge-ok"}`}>
      {isLost ? <CircleX aria-hidden /> : <CircleCheck aria-hidden />}
      {copy.state[state]}
    </span>
  );
}
