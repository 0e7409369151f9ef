import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { FrameNote } from "#app/version/frame-note.tsx";
import "#app/version/parts.css";
import "#app/version/reading.css";
import { readInside } from "#app/version/read-inside.server.ts";
import { PagesFrame } from "./pages-frame.tsx";
import { readPages } from "./queries.server.ts";

/** Nested pages: `?in[&part]`, a search in their titles: `?in&q`, or a table among them: `?in&table[&part]`. */
export function loader(args: LoaderFunctionArgs) {
  return readInside(args, readPages, ({ page, table, row }) => [
    page?.page.path,
    table?.facts.path,
    row?.row.path,
  ]);
}

export default function PagesRoute() {
  const data = useLoaderData<typeof loader>();
  if (data === null) return null;
  if (data.page === null) return <FrameNote problem={data.problem} />;
  return <PagesFrame data={data} pages={data.page} />;
}

export const ErrorBoundary = PageFailure;
