import { Link, useNavigate } from "@remix-run/react";
import { CircleCheck, CircleDot } from "lucide-react";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { dateText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { placeIn, type VersionRef } from "#app/version/address.ts";
import { ListPages } from "#app/version/list-pages.tsx";
import { ListTools } from "#app/version/list-tools.tsx";
import type { Times } from "#app/version/note-list.tsx";
import { TagList } from "#app/version/tag-list.tsx";
import type { ThreadListPage } from "#core/browsing/views.ts";
import type { ThreadAddress } from "./queries.server.ts";

const STATES = [null, "open", "closed"] as const;

/** Threads of a version, newest first. */
export function ThreadList({
  data,
  list,
  address,
}: {
  data: VersionRef & Times;
  list: ThreadListPage;
  address: ThreadAddress;
}) {
  const navigate = useNavigate();
  const { search, state, after } = address;
  const { view, words, rows } = list;
  const here = { in: view.id, q: search, state };
  return (
    <section aria-label={view.label}>
      <ListTools
        search={search}
        onSearch={(q) => navigate(placeIn(data, "thread", { ...here, q }), { preventScrollReset: true })}
        waysLabel={copy.state}
        ways={(list.hasStates ? STATES : []).map((each) => ({
          id: each ?? "all",
          label: copy.states[each ?? "all"],
          to: placeIn(data, "thread", { ...here, state: each }),
          isCurrent: each === state,
        }))}
        count={list.count}
        words={words}
      />
      {rows.length === 0 ? (
        <p className="soft browse-empty">
          {list.count === 0 ? copy.none(words.many) : copy.noneFound(words.many)}
        </p>
      ) : (
        <ul className="thread-rows">
          {rows.map((row) => (
            <ThreadRow key={row.id} data={data} row={row} viewId={view.id} />
          ))}
        </ul>
      )}
      <ListPages
        first={after === null ? null : placeIn(data, "thread", here)}
        next={list.next === null ? null : placeIn(data, "thread", { ...here, after: list.next })}
        isPaused={list.isPaused}
      />
    </section>
  );
}

function ThreadRow({
  data,
  row: { id, key, title, state, author, at, tags },
  viewId,
}: {
  data: VersionRef & Times;
  row: ThreadListPage["rows"][number];
  viewId: string;
}) {
  const StateIcon = state?.isOpen ? CircleDot : CircleCheck;
  return (
    <li>
      {state !== null && (
        <span title={visibleName(state.label)} className={state.isOpen ? "ok-t" : "soft"}>
          <StateIcon aria-hidden />
          <span className="sr">{visibleName(state.label)}</span>
        </span>
      )}
      <span className="thread-rows__title">
        {key !== null && <span className="mono-meta">{visibleName(key)}</span>}
        <Link className="medium" dir="auto" to={placeIn(data, "thread", { in: viewId, part: id })}>
          {visibleName(title.trim()) || copy.nameless}
        </Link>
        <TagList tags={tags} />
      </span>
      <span className="meta thread-rows__by">
        {author !== null && <span dir="auto">{visibleName(author)}</span>}
        {at !== null && <span className="mono-meta">{dateText(at, data.timeZone, data.now)}</span>}
      </span>
    </li>
  );
}
