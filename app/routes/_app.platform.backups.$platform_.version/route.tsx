import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { type ShouldRevalidateFunction, useLoaderData } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { browseCopy } from "#app/copy/browse.ts";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { versionCrumbs } from "#app/shell/version-crumbs.ts";
import { isSameVersion } from "#app/version/address.ts";
import { versionOf } from "#app/version/read-inside.server.ts";
import "#app/version/version.css";
import { mayOpen } from "../_app.platform.backups.$platform/queries.server.ts";
import { readVersionPage } from "./queries.server.ts";
import { VersionPage } from "./version-page.tsx";

/** One version: `?id&version`. Child routes show each kind of view, and the records. */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  const member = requireMember(context, request);
  const platform = params.platform ?? "";
  if (!mayOpen(member, platform)) throw redirect("/");
  const version = versionOf(request, platform);
  return orFailure(context, () => readVersionPage(context.services, member, version));
}

/** Does not reload while the URL stays in the same version. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}) => {
  const isElsewhere = currentUrl.href !== nextUrl.href;
  return isElsewhere && !formMethod && isSameVersion(currentUrl, nextUrl) ? false : defaultShouldRevalidate;
};

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: browseCopy.pageTitle(data?.itemName ?? "a version") },
];

export const handle = versionCrumbs(browseCopy.crumb);

export default function VersionRoute() {
  return <VersionPage data={useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = PageFailure;
