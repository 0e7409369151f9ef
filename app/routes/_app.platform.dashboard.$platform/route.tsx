import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ShouldRevalidateFunction, useLoaderData } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { itemsCopy } from "#app/copy/items.ts";
import { keepsOnSearchChange } from "#app/session/revalidation.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { ItemsPage } from "./items-page.tsx";
import { type ItemListPage, itemListPage } from "./queries.server.ts";

export const loader = ({ context, request, params }: LoaderFunctionArgs) =>
  itemListPage(context, request, params.platform ?? "");

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${data.label} · Holdfast` : "Holdfast" },
];

export const handle: CrumbHandle<ItemListPage> = {
  crumbs: (data) => [{ label: itemsCopy.integrations }, ...(data ? [{ label: data.label }] : [])],
};

export const shouldRevalidate: ShouldRevalidateFunction = keepsOnSearchChange;

export default function PlatformItems() {
  const page = useLoaderData<typeof loader>();
  return <ItemsPage key={page.platform} page={page} />;
}

export function ErrorBoundary() {
  return <PageFailure />;
}
