import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { type ShouldRevalidateFunction, useLoaderData } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { browseCopy } from "#app/copy/browse.ts";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { versionCrumbs } from "#app/shell/version-crumbs.ts";
import { mayOpen } from "../_app.platform.backups.$platform/queries.server.ts";
import { isSameBoard, readVersionAddress } from "./address.ts";
import "./board.css";
import "./browse.css";
import { readVersionPage } from "./queries.server.ts";
import { VersionPage } from "./version-page.tsx";

/**
 * The content of one version: `?id&version[&view&kind&q&archived&after&path&tree&ref]`. Every place in it has a URL.
 */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  const member = requireMember(context, request);
  const platform = params.platform ?? "";
  const address = readVersionAddress(new URL(request.url).searchParams);
  const { itemId, snapshotId } = address;
  if (!mayOpen(member, platform)) throw redirect("/");
  if (itemId === null || snapshotId === null) throw redirect(`/platform/dashboard/${platform}`);
  return orFailure(context, () =>
    readVersionPage(context.services, member, platform, { ...address, itemId, snapshotId }),
  );
}

/** Opening a card does not reload the board behind it. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}) => {
  const isElsewhere = currentUrl.href !== nextUrl.href;
  return isElsewhere && !formMethod && isSameBoard(currentUrl, nextUrl) ? false : defaultShouldRevalidate;
};

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: browseCopy.pageTitle(data?.itemName ?? "a version") },
];

export const handle = versionCrumbs(browseCopy.crumb);

export default function VersionRoute() {
  return <VersionPage data={useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = PageFailure;
