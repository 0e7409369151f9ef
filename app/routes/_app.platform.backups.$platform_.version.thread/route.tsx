import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { PageFailure } from "#app/components/page-failure.tsx";
import { readerOf, readSearch } from "#app/version/address.ts";
import { FrameNote } from "#app/version/frame-note.tsx";
import "#app/version/diff.css";
import "#app/version/parts.css";
import "#app/version/reading.css";
import { readInside } from "#app/version/read-inside.server.ts";
import { readThreads, type ThreadAddress } from "./queries.server.ts";
import { ThreadList } from "./thread-list.tsx";
import { ThreadView } from "./thread-view.tsx";

/**
 * Threads of one view: `?in[&state&q&after]`, or one thread: `?in&part[&after&before][&all]`, or the commits or
 * files that it proposes: `?in&part&show=files[&file]`.
 */
export function loader(args: LoaderFunctionArgs) {
  return readInside(
    args,
    async (open, query) => {
      const address = addressOf(query);
      return { ...(await readThreads(open, address)), address };
    },
    ({ opened }) => [opened?.thread.path],
  );
}

function addressOf(query: URLSearchParams): ThreadAddress {
  const text = readerOf(query);
  const [state, show] = [text("state"), text("show")];
  return {
    viewId: text("in"),
    state: state === "open" || state === "closed" ? state : null,
    search: readSearch(query),
    after: text("after"),
    part: text("part"),
    before: Math.max(0, Number.parseInt(text("before") ?? "", 10) || 0),
    isWhole: text("all") !== null,
    show: show === "commits" || show === "files" ? show : null,
    file: text("file"),
  };
}

export default function ThreadRoute() {
  const data = useLoaderData<typeof loader>();
  if (data === null) return null;
  if (data.page === null) return <FrameNote problem={data.problem} />;
  const { list, opened, address } = data.page;
  return (
    <>
      {list !== null && <ThreadList data={data} list={list} address={address} />}
      {opened !== null && <ThreadView data={data} opened={opened} address={address} />}
    </>
  );
}

export const ErrorBoundary = PageFailure;
