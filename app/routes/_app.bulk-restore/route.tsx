import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useNavigate } from "@remix-run/react";
import { useEffect, useState } from "react";
import { type BulkOrder, readBulkOrder } from "#app/bulk/bulk-storage.ts";
import { PageFailure } from "#app/components/page-failure.tsx";
import { bulkCopy as copy } from "#app/copy/bulk-restore.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { BulkPage } from "./bulk-page.tsx";
import { bulkRights } from "./queries.server.ts";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

export const handle: CrumbHandle = { crumbs: () => [{ label: copy.title }] };

export const loader = ({ context, request }: LoaderFunctionArgs) => bulkRights(context, request);

/**
 * Restores the items selected in a list. Redirects to the dashboard without a selection, or if the member may not use
 * the platform.
 */
export default function BulkRestore() {
  const { rights, now } = useLoaderData<typeof loader>();
  const navigate = useNavigate();
  const [order, setOrder] = useState<BulkOrder | null>(null);
  const allowed = rights.find(({ platform }) => platform === order?.platform);
  const descriptor = descriptors.find(({ id }) => id === order?.platform);
  const kind = order && descriptor?.itemKinds.find(({ id, isSub }) => isKindOf(order, id, isSub));
  useEffect(() => {
    const stored = readBulkOrder(localStorage);
    const isOurs = stored !== null && rights.some(({ platform }) => platform === stored.platform);
    if (isOurs) setOrder((before) => before ?? stored);
    else navigate("/", { replace: true });
  }, [rights, navigate]);
  if (!order || !allowed || !descriptor || !kind) return <div className="bulk" aria-busy="true" />;
  return <BulkPage order={order} descriptor={descriptor} kind={kind} rights={allowed} now={now} />;
}

/** Matches the item kind of the order. An order without a kind takes it from its first item. */
function isKindOf(order: BulkOrder, id: string, isSub: boolean): boolean {
  return order.kind === null ? isSub === order.items[0]?.isGist : id === order.kind;
}

export function ErrorBoundary() {
  return <PageFailure />;
}
