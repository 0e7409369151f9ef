import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { restoredCopy } from "#app/copy/restored.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { versionCrumbs } from "#app/shell/version-crumbs.ts";
import { mayOpen } from "../_app.platform.backups.$platform/queries.server.ts";
import { type RestoredPageData, readRestoredPage } from "./queries.server.ts";
import "./restored.css";
import { RestoredPage } from "./restored-page.tsx";

/** The report of a restore: `?id&run`. */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  const member = requireMember(context, request);
  const platform = params.platform ?? "";
  const query = new URL(request.url).searchParams;
  const [itemId, runId] = [query.get("id"), query.get("run")];
  if (!mayOpen(member, platform)) throw redirect("/");
  if (!itemId || !runId) throw redirect(`/platform/dashboard/${platform}`);
  return orFailure(context, () => readRestoredPage(context.services, member, platform, { itemId, runId }));
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: restoredCopy.pageTitle(data?.itemName ?? "an item") },
];

export const handle: CrumbHandle<RestoredPageData> = {
  crumbs: (data, params) => {
    const label = data
      ? restoredCopy.crumbOf(dateTimeText(data.restore.finishedAt, data.timeZone, data.now))
      : restoredCopy.crumb;
    return versionCrumbs(label).crumbs(data, params);
  },
};

export default function RestoredRoute() {
  return <RestoredPage data={useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = PageFailure;
