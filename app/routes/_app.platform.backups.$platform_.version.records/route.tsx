import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { FrameNote } from "#app/version/frame-note.tsx";
import { readInside } from "#app/version/read-inside.server.ts";
import { partPathOf } from "#connectors/contract/part-path.ts";
import { EntryTable } from "./entry-table.tsx";
import { readRecords, readRecordsAddress } from "./queries.server.ts";
import { RecordView } from "./record-view.tsx";

/** All records of a version: `?[kind&q&after]`, or one record: `?path`. */
export function loader(args: LoaderFunctionArgs) {
  return readInside(
    args,
    async (open, query) => {
      const address = readRecordsAddress(query);
      return { ...(await readRecords(open, address)), address };
    },
    // A list of one kind offers to restore all of it.
    ({ address: { kind, path } }) =>
      kind !== null && path === null ? [partPathOf({ type: "all", kind })] : [],
  );
}

export default function RecordsRoute() {
  const data = useLoaderData<typeof loader>();
  if (data === null) return null;
  if (data.page === null) return <FrameNote problem={data.problem} />;
  const { kinds, entries, record, address } = data.page;
  return (
    <>
      {entries !== null && <EntryTable data={data} page={entries} kinds={kinds} address={address} />}
      {record !== null && <RecordView data={data} record={record} kinds={kinds} address={address} />}
    </>
  );
}

export const ErrorBoundary = PageFailure;
