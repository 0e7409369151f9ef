import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { coverageCopy as copy } from "#app/copy/coverage.ts";
import { shellCopy } from "#app/copy/shell.ts";
import type { CrumbHandle } from "#app/shell/crumbs.ts";
import { CoveragePage } from "./coverage-page.tsx";
import { readCoverage } from "./queries.server.ts";

/** What is covered of a platform, field by field. */
export const loader = async ({ context, request, params }: LoaderFunctionArgs) =>
  readCoverage(context, request, params.platform ?? "");

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? copy.pageTitle(data.label) : copy.title },
];

export const handle: CrumbHandle<{ platform: string; label: string }> = {
  crumbs: (data) => [
    { label: shellCopy.integrations },
    ...(data ? [{ label: data.label, to: `/platform/dashboard/${data.platform}` }] : []),
    { label: copy.title },
  ],
};

export default function Coverage() {
  return <CoveragePage {...useLoaderData<typeof loader>()} />;
}

export function ErrorBoundary() {
  return <PageFailure />;
}
