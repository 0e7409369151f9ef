import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { Callout } from "#app/components/callout.tsx";
import { NoticeCallout } from "#app/components/notice-callout.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { accountCopy } from "#app/copy/accounts.ts";
import { connectorCopy as copy } from "#app/copy/connector.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { AccountList } from "./account-list.tsx";
import { AccountPanel } from "./account-panel.tsx";
import { Authorize } from "./authorize.tsx";
import { ChooseAccounts } from "./choose-accounts.tsx";
import { type ConnectorApp, connectorOf } from "./queries.server.ts";
import { SelectApp } from "./select-app.tsx";
import { SelectRegion } from "./select-region.tsx";
import { Stepper } from "./stepper.tsx";

export const meta: MetaFunction = () => [{ title: "App connector · Holdfast" }];

export const handle: CrumbHandle = { crumbs: () => [{ label: copy.title }] };

/** Runs at every step, because the previous step may have saved data that this one shows. */
export const loader = ({ context, request }: LoaderFunctionArgs) => connectorOf(context, request);

/**
 * The wizard: choose a platform, choose its region, authorise at the provider. The URL holds `platform`,
 * `step=authorize`, and `account`: the id of a connected one, or `new` with its `region`. After a redirect from the
 * provider it also holds `error_message` and the platform it is about (`error_platform`, spec P-039), `error_code`, `warning_message`, `choice` (a pending choice of accounts) or
 * `githubConfirmStatus` (`pending` or `confirmed`) (spec B-081, B-280, B-281). Messages without our mark are shown as
 * text from the URL.
 */
export default function AppConnector() {
  const { apps, choice } = useLoaderData<typeof loader>();
  const { member } = useShell();
  const [search] = useSearchParams();
  const app = apps.find(({ id, canManage }) => canManage && id === search.get("platform")) ?? null;
  if (app && choice) return <ChooseAccounts key={choice.id} app={app} choice={choice} />;
  const step = app === null ? 0 : search.get("step") === "authorize" ? 2 : 1;
  const isFirst = apps.every(({ accounts }) => accounts.length === 0);
  return (
    <div className={isFirst ? "form-col form-col-first" : "form-col"}>
      <PageHeader
        folio={app && !app.hasStarted ? [app.label, copy.folio] : [app?.label ?? copy.folio]}
        title={app ? titleOf(app) : isFirst ? copy.welcome(member.givenName) : copy.title}
        mark={app && <PlatformMark platform={app.id} size="l" />}
      />
      {app === null && isFirst && <p className="soft first-lead">{copy.welcomeText}</p>}
      {mayGoOn(app) && <Stepper now={step} />}
      <Notices />
      {app && app.accounts.length === 0 && !app.mayConnect && (
        <Callout>{copy.ownerConnectsText(app.label)}</Callout>
      )}
      {app && isChoice(app) && <AccountList app={app} />}
      {app?.connection && <AccountPanel key={app.id} app={app} />}
      {app === null && <SelectApp apps={apps} />}
      {app && mayGoOn(app) && step === 1 && <SelectRegion key={regionKey(app)} app={app} />}
      {app && mayGoOn(app) && step === 2 && <Authorize app={app} />}
      {app?.connection === null && ((mayGoOn(app) && step === 2) || search.has("error_code")) && (
        <AccountPanel key={app.id} app={app} />
      )}
    </div>
  );
}

/** True when several accounts are connected and the URL names none. */
const isChoice = ({ accounts, connection, isAdding }: ConnectorApp) =>
  accounts.length > 1 && connection === null && !isAdding;

/** Only the owner may change region and consent of a connected account (spec P-309), or give one that is an item. */
function mayGoOn(app: ConnectorApp | null): boolean {
  return app === null || (!isChoice(app) && app.mayConnect);
}

function titleOf(app: ConnectorApp): string {
  if (isChoice(app)) return copy.accountsOf(app.label);
  return app.isAdding ? copy.addTitle(app.label) : copy.titleOf(app.label, app.connection !== null);
}

/** Resets the region field when the account was moved or changed. */
const regionKey = ({ id, connection, isAdding }: ConnectorApp) =>
  `region of ${id} ${isAdding} ${connection?.id} ${connection?.region}`;

/** Messages from the URL. */
function Notices() {
  const [search] = useSearchParams();
  const { apps, error, warning } = useLoaderData<typeof loader>();
  const about = apps.find(({ id }) => id === search.get("error_platform"));
  const isConfirmed = search.get("githubConfirmStatus") === "confirmed";
  if (!error && !warning && !isConfirmed) return null;
  return (
    <div className="stack" style={{ marginBottom: 20 }}>
      {error && (
        <NoticeCallout notice={error} tone="bad" title={about ? copy.userError(about.label) : null} />
      )}
      {warning && <NoticeCallout notice={warning} tone="warn" />}
      {isConfirmed && <Callout>{accountCopy.code.confirmed}</Callout>}
    </div>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
