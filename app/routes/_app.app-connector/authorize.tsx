import { Link } from "@remix-run/react";
import { ArrowLeft, ExternalLink } from "lucide-react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { accountCopy } from "#app/copy/accounts.ts";
import { connectorCopy as copy } from "#app/copy/connector.ts";
import { regionNames } from "#app/copy/regions.ts";
import { descriptors, uis } from "#connectors/registry/descriptors.generated.ts";
import { accountIn, accountPath } from "./account-path.ts";
import { ConnectSite, useSiteMethod } from "./connect-site.tsx";
import type { ConnectorApp } from "./queries.server.ts";
import { useConsent } from "./use-consent.ts";

/** Step 3: consent at the platform (spec B-080). A connected account can be renewed here, or needs no action. */
export function Authorize({ app }: { app: ConnectorApp }) {
  const { connection, label } = app;
  const account = { platform: app.id, connectionId: connection?.id ?? null };
  const consent = useConsent(account, { region: app.isAdding ? app.region : undefined });
  const named = accountIn(app);
  const state = connection === null ? "new" : connection.isRevoked ? "lost" : "well";
  const words = copy.authorize[state];
  const picking = uis[app.id]?.picking;
  const action =
    state === "new"
      ? copy.authorizeAt(label)
      : state === "well"
        ? accountCopy.renew
        : connection?.lostReason === "app"
          ? accountCopy.resume
          : accountCopy.reconnect;
  const isInFrame = useSiteMethod(app.id) !== null;
  const many = descriptors.find(({ id }) => id === app.id)?.itemKinds[0]?.many ?? "";
  return (
    <section aria-labelledby="authorize-title">
      <h2 id="authorize-title">{words.title(label)}</h2>
      <p className="soft" style={{ margin: "4px 0 20px" }}>
        {(state === "well" && picking?.renews) || words.text(label)}
      </p>
      {consent.error && <Callout tone="bad">{consent.error}</Callout>}
      <dl className="facts">
        <dt>{copy.facts.region}</dt>
        <dd>{regionNames[app.region]}</dd>
        <dt>{copy.facts.reads}</dt>
        <dd>{picking?.reads ?? copy.facts.readsText(many)}</dd>
        <dt>{copy.facts.writes}</dt>
        <dd>{copy.facts.writesText}</dd>
      </dl>
      {isInFrame && state !== "well" && <ConnectSite platform={app.id} />}
      <div className="form-actions">
        <Link className={buttonClass({ variant: "ghost" })} to={accountPath(app.id, named)}>
          <ArrowLeft aria-hidden />
          {copy.back}
        </Link>
        <span className="push" />
        <Button
          variant={state === "well" ? "outline" : "solid"}
          size="l"
          isBusy={consent.isBusy}
          onClick={consent.go}
        >
          {action}
          <ExternalLink aria-hidden />
        </Button>
        {state === "well" && (
          <Link className={buttonClass({ variant: "solid", size: "l" })} to={listPath(app)}>
            {copy.openList(many)}
          </Link>
        )}
      </div>
    </section>
  );
}

function listPath({ id, accounts, connection }: ConnectorApp): string {
  const query = accounts.length > 1 && connection ? `?account=${connection.id}` : "";
  return `/platform/dashboard/${id}${query}`;
}
