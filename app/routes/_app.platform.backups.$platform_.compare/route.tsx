import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { type ShouldRevalidateFunction, useLoaderData } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { compareCopy } from "#app/copy/compare.ts";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { versionCrumbs } from "#app/shell/version-crumbs.ts";
import "#app/version/diff.css";
import "#app/version/version.css";
import { mayOpen } from "../_app.platform.backups.$platform/queries.server.ts";
import "./compare.css";
import { ComparePage } from "./compare-page.tsx";
import { readComparePage } from "./queries.server.ts";

/** Compares two versions: `?id&to[&from][&record|&view&part][&tree&ref[&file]][&only]`. */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  const member = requireMember(context, request);
  const platform = params.platform ?? "";
  const query = new URL(request.url).searchParams;
  const [itemId, from, to] = [query.get("id"), query.get("from"), query.get("to")];
  if (!mayOpen(member, platform)) throw redirect("/");
  if (!itemId || !to) throw redirect(`/platform/dashboard/${platform}`);
  return orFailure(context, () =>
    readComparePage(context.services, member, platform, {
      itemId,
      from: from || null,
      to,
      record: query.get("record") || null,
      view: query.get("view")?.slice(0, 200) || null,
      part: query.get("part")?.slice(0, 300) || null,
      tree: query.get("tree") || null,
      ref: query.get("ref") || null,
      file: query.get("file") || null,
    }),
  );
}

/** Choosing a section only changes what is shown of the same comparison. Signing an address changes nothing. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}) => {
  const isElsewhere = currentUrl.href !== nextUrl.href;
  if (!isElsewhere && formMethod) return false;
  return isElsewhere && !formMethod && withoutOnly(currentUrl) === withoutOnly(nextUrl)
    ? false
    : defaultShouldRevalidate;
};

function withoutOnly({ pathname, searchParams }: URL): string {
  const query = new URLSearchParams(searchParams);
  query.delete("only");
  query.sort();
  return `${pathname}?${query}`;
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: compareCopy.pageTitle(data?.itemName ?? "an item") },
];

export const handle = versionCrumbs(compareCopy.crumb);

export default function CompareRoute() {
  return <ComparePage data={useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = PageFailure;
