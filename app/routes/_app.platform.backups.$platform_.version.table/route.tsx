import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { readerOf, readSearch } from "#app/version/address.ts";
import { FrameNote } from "#app/version/frame-note.tsx";
import "#app/version/parts.css";
import "#app/version/reading.css";
import { readInside } from "#app/version/read-inside.server.ts";
import { readRow, readTable } from "#app/version/read-table.server.ts";
import { RowView } from "#app/version/row-view.tsx";
import { TableFrame, type TablePlace } from "#app/version/table-frame.tsx";

/** A table: `?in[&layout&q&after]`, or one row of it: `?in&part[&after]`. */
export function loader(args: LoaderFunctionArgs) {
  return readInside(
    args,
    async (open, query) => {
      const text = readerOf(query);
      const [viewId, part, after] = [text("in"), text("part"), text("after")];
      const search = readSearch(query);
      const place: TablePlace = { frame: "table", table: null, layout: text("layout"), search, after };
      const table = { viewId, tableId: null };
      if (part === null) {
        const shown = { layoutId: place.layout };
        return { place, list: await readTable(open, { ...table, shown, search, after }), opened: null };
      }
      const opened = await readRow(open, { ...table, rowId: part, commentsAfter: after });
      return { place, list: null, opened };
    },
    ({ list, opened }) => [list?.facts.path, opened?.row.path],
  );
}

export default function TableRoute() {
  const data = useLoaderData<typeof loader>();
  if (data === null) return null;
  if (data.page === null) return <FrameNote problem={data.problem} />;
  const { list, opened, place } = data.page;
  return (
    <>
      {list !== null && <TableFrame data={data} page={list} place={place} />}
      {opened !== null && <RowView data={data} opened={opened} place={place} />}
    </>
  );
}

export const ErrorBoundary = PageFailure;
