import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { readerOf } from "#app/version/address.ts";
import { FrameNote } from "#app/version/frame-note.tsx";
import { readInside } from "#app/version/read-inside.server.ts";
import { FilesFrame, partOfPage } from "./files-frame.tsx";
import { readFiles } from "./queries.server.ts";

/** A tree of files at one branch or tag: `?in[&ref&path&source]`. */
export function loader(args: LoaderFunctionArgs) {
  return readInside(
    args,
    (open, query) => {
      const text = readerOf(query);
      return readFiles(open, {
        viewId: text("in"),
        ref: text("ref"),
        path: text("path") ?? "",
        isSource: query.get("source") === "1",
      });
    },
    (page) => [partOfPage(page)],
  );
}

export default function FilesRoute() {
  const data = useLoaderData<typeof loader>();
  if (data === null) return null;
  if (data.page === null) return <FrameNote problem={data.problem} />;
  return <FilesFrame data={data} page={data.page} />;
}

export const ErrorBoundary = PageFailure;
