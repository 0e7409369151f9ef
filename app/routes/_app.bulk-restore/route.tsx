import type { MetaFunction } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { buttonClass } from "#app/components/button.tsx";
import { NotePage } from "#app/components/note-page.tsx";
import { PageFailure } from "#app/components/page-failure.tsx";
import { bulkRestoreCopy as copy } from "#app/copy/account-pages.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";

export const meta: MetaFunction = () => [{ title: `${copy.title} · Holdfast` }];

export const handle: CrumbHandle = { crumbs: () => [{ label: copy.title }] };

/** Says how an item is restored today. */
export default function BulkRestore() {
  return (
    <NotePage title={copy.title} text={copy.text}>
      <Link className={buttonClass({ variant: "outline" })} to="/">
        {copy.back}
      </Link>
    </NotePage>
  );
}

export function ErrorBoundary() {
  return <PageFailure />;
}
