import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ShouldRevalidateFunction, useLoaderData } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { itemsCopy } from "#app/copy/items.ts";
import { keepsOnSearchChange } from "#app/session/revalidation.ts";
import { ComingSoon } from "#app/shell/coming-soon.tsx";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { ItemsPage } from "./items-page.tsx";
import { platformPage, type Shown } from "./queries.server.ts";

export const loader = ({ context, request, params }: LoaderFunctionArgs) =>
  platformPage(context, request, params.platform ?? "");

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

/** Reloads for another account only; within one the page fetches what its URL asks for. */
export const shouldRevalidate: ShouldRevalidateFunction = (move) =>
  accountOf(move.currentUrl) === accountOf(move.nextUrl)
    ? keepsOnSearchChange(move)
    : move.defaultShouldRevalidate;

const accountOf = ({ searchParams }: URL) => searchParams.get("account");

export default function PlatformItems() {
  const { page, soon } = useLoaderData<typeof loader>();
  if (page === null) return <ComingSoon label={soon} />;
  return <ItemsPage key={`${page.platform} ${page.connection.id}`} page={page} />;
}

export function ErrorBoundary() {
  return <PageFailure />;
}
