import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import {
  type ShouldRevalidateFunction,
  useActionData,
  useLoaderData,
  useSearchParams,
} from "@remix-run/react";
import { Callout } from "#app/components/callout.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { connectorCopy as copy } from "#app/copy/connector.ts";
import { keepsOnSearchChange } from "#app/session/revalidation.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { AccountPanel } from "./account-panel.tsx";
import { beginConnecting } from "./actions.server.ts";
import { connectorOf } from "./queries.server.ts";
import { SelectApp } from "./select-app.tsx";
import { SelectRegion } from "./select-region.tsx";
import { Stepper } from "./stepper.tsx";

export const meta: MetaFunction = () => [{ title: "App connector · Holdfast" }];

export const handle: CrumbHandle = { crumbs: () => [{ label: copy.title }] };

export const loader = ({ context, request }: LoaderFunctionArgs) => connectorOf(context, request);

export const action = ({ context, request }: ActionFunctionArgs) => beginConnecting(context, request);

export const shouldRevalidate: ShouldRevalidateFunction = keepsOnSearchChange;

/** Choose an application, choose its region, authorise at the provider. The chosen application is in the address. */
export default function AppConnector() {
  const { apps } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  const [search] = useSearchParams();
  const app = apps.find(({ id, canManage }) => canManage && id === search.get("platform")) ?? null;
  const error = refusal?.error ?? search.get("error_message");
  const warning = search.get("warning_message");
  return (
    <div className="form-col">
      <PageHeader
        folio={app ? [app.label, copy.folio] : [copy.folio]}
        title={app ? copy.titleOf(app.label) : copy.title}
        mark={app && <PlatformMark platform={app.id} size="l" />}
      />
      <Stepper now={app ? 1 : 0} />
      {(error || warning) && (
        <div className="stack" style={{ marginBottom: 20 }}>
          {error && <Callout tone="bad">{error}</Callout>}
          {warning && <Callout tone="warn">{warning}</Callout>}
        </div>
      )}
      {app && <AccountPanel key={`${app.id} ${app.connection?.name}`} app={app} />}
      {app ? <SelectRegion app={app} /> : <SelectApp apps={apps} />}
    </div>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
