import { Link, useSearchParams } from "@remix-run/react";
import { ArrowUpRight, Download } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { capitalised } from "#app/format/counts.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { visibleName, visibleText } from "#app/format/visible-text.ts";
import { partPath, placeIn, type VersionRef } from "#app/version/address.ts";
import { MarkdownBody } from "#app/version/markdown-body.tsx";
import type { Times } from "#app/version/note-list.tsx";
import type { KindCount, Readable } from "#core/browsing/views.ts";
import type { RecordsAddress, ShownRecord } from "./queries.server.ts";

/** One record as a page: its content, author and time, and its children in chronological order. */
export function RecordView({
  data,
  record: { page, html, childHtml },
  kinds,
  address,
}: {
  data: VersionRef & Times;
  record: ShownRecord;
  kinds: readonly KindCount[];
  address: RecordsAddress;
}) {
  const isRaw = useSearchParams()[0].get("raw") === "1";
  const { entry, readable, parent } = page;
  const here = { path: entry.path };
  const title = visibleName(readable.title ?? entry.title);
  return (
    <article className="record">
      {parent !== null && (
        <Link className="link meta" to={placeIn(data, "records", { path: parent.path })}>
          {copy.part(visibleName(parent.title))}
        </Link>
      )}
      <header className="record__head">
        <h2 dir="auto">
          {title} {readable.number !== null && <span className="soft">#{readable.number}</span>}
        </h2>
        <div className="row record__tools">
          <Link
            className={buttonClass({ size: "s" })}
            to={placeIn(data, "records", { ...here, raw: isRaw ? null : "1" })}
          >
            {isRaw ? copy.readable : copy.raw}
          </Link>
          <a className={buttonClass({ size: "s" })} href={partPath(data, { path: entry.path })} download>
            <Download aria-hidden />
            {copy.download}
          </a>
        </div>
        <Byline readable={readable} data={data} />
      </header>
      {isRaw ? (
        <pre className="code-block">{visibleText(page.json)}</pre>
      ) : (
        <>
          <MarkdownBody html={html} text={readable.body} />
          {readable.facts.length > 0 && (
            <dl className="record__facts">
              {readable.facts.map(({ name, value }) => (
                <div key={name}>
                  <dt>{capitalised(name)}</dt>
                  <dd dir="auto">{visibleName(value)}</dd>
                </div>
              ))}
            </dl>
          )}
        </>
      )}
      {page.children.length > 0 && (
        <section className="section">
          <h3 className="record__below">{copy.below}</h3>
          <ol className="record__children">
            {page.children.map((child, at) => (
              <li key={child.entry.path}>
                <div className="record__child-head">
                  <Link className="link medium" to={placeIn(data, "records", { path: child.entry.path })}>
                    {kinds.find(({ kind }) => kind === child.entry.kind)?.one ?? child.entry.kind}
                  </Link>
                  <Byline readable={child.readable} data={data} />
                </div>
                {child.readable.body !== null && (
                  <MarkdownBody html={childHtml[at] ?? null} text={child.readable.body} />
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
      {page.nextChild !== null && (
        <Link
          className={buttonClass({ size: "s" })}
          to={placeIn(data, "records", { ...here, after: page.nextChild, kind: address.kind })}
        >
          {copy.more}
        </Link>
      )}
    </article>
  );
}

function Byline({ readable, data }: { readable: Readable; data: Times }) {
  const { author, createdAt, updatedAt, state, labels, url } = readable;
  const date = (at: number) => dateTimeText(at, data.timeZone, data.now);
  return (
    <p className="meta record__byline">
      {state !== null && <span className="badge">{visibleName(state)}</span>}
      {author !== null && <span>{copy.by(visibleName(author))}</span>}
      {createdAt !== null && <span>{copy.created(date(createdAt))}</span>}
      {updatedAt !== null && updatedAt !== createdAt && <span>{copy.edited(date(updatedAt))}</span>}
      {labels.map((label) => (
        <span className="badge" key={label}>
          {visibleName(label)}
        </span>
      ))}
      {url !== null && (
        <a className="link" href={url} target="_blank" rel="noreferrer">
          {new URL(url).host}
          <ArrowUpRight className="icon-s" aria-hidden />
        </a>
      )}
    </p>
  );
}
