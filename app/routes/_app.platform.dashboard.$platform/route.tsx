import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { type ShouldRevalidateFunction, useLoaderData } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { itemsCopy } from "#app/copy/items.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { keepsOnSearchChange } from "#app/session/revalidation.ts";
import { announcedPlatform } from "#app/shell/announced-platforms.ts";
import { ComingSoon } from "#app/shell/coming-soon.tsx";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { canUse } from "#core/organisations/index.ts";
import { ItemsPage } from "./items-page.tsx";
import { type ItemListPage, itemListPage } from "./queries.server.ts";

/** The platform's list, or the name of a platform that is announced and not offered yet. */
type Shown = { page: ItemListPage; soon: null } | { page: null; soon: string };

export async function loader({ context, request, params }: LoaderFunctionArgs): Promise<Shown> {
  const platform = params.platform ?? "";
  const soon = announcedPlatform(platform);
  if (soon === null) return { page: await itemListPage(context, request, platform), soon };
  if (!canUse(requireMember(context, request), platform)) throw redirect("/");
  return { page: null, soon };
}

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const label = data?.page?.label ?? data?.soon;
  return [{ title: label ? `${label} · Holdfast` : "Holdfast" }];
};

export const handle: CrumbHandle<Shown> = {
  crumbs: (data) => {
    const label = data?.page?.label ?? data?.soon;
    return [{ label: itemsCopy.integrations }, ...(label ? [{ label }] : [])];
  },
};

export const shouldRevalidate: ShouldRevalidateFunction = keepsOnSearchChange;

export default function PlatformItems() {
  const { page, soon } = useLoaderData<typeof loader>();
  if (page === null) return <ComingSoon label={soon} />;
  return <ItemsPage key={page.platform} page={page} />;
}

export function ErrorBoundary() {
  return <PageFailure />;
}
