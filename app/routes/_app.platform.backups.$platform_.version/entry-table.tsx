import { Link, useNavigate } from "@remix-run/react";
import { Download } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { bytesText } from "#app/format/bytes.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { EntryPage, KindCount } from "#core/browsing/views.ts";
import { partPath, placeIn, type VersionAddress } from "./address.ts";
import type { VersionPageData } from "./queries.server.ts";

/** Records of a version, one page at a time. */
export function EntryTable({
  data,
  page,
  kinds,
  address,
}: {
  data: VersionPageData;
  page: EntryPage;
  kinds: readonly KindCount[];
  address: VersionAddress;
}) {
  const navigate = useNavigate();
  const { kind, search } = address;
  const here = { view: "records", kind, q: search };
  const wordOf = (id: string) => kinds.find((each) => each.kind === id)?.one ?? id;
  return (
    <section>
      <div className="list-toolbar browse-tools">
        <SearchField
          value={search ?? ""}
          label={copy.search}
          onSearch={(q) => navigate(placeIn(data, { ...here, q }), { preventScrollReset: true })}
        />
      </div>
      {page.rows.length === 0 ? (
        <p className="soft browse-empty">{search === null ? copy.nothing : copy.noMatch(search)}</p>
      ) : (
        <table className="data-table entry-table">
          <thead>
            <tr>
              <th>{copy.title}</th>
              {kind === null && <th className="e-kind">{copy.kind}</th>}
              <th className="num e-size">{copy.size}</th>
              <th className="e-act">
                <span className="sr">{copy.download}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {page.rows.map((row) => (
              <tr key={row.path}>
                <td>
                  <span className="entry-name">
                    {row.type === "record" ? (
                      <Link
                        className="clip medium"
                        dir="auto"
                        to={placeIn(data, { view: "record", path: row.path, kind })}
                      >
                        {visibleName(row.title)}
                      </Link>
                    ) : (
                      <span className="clip" dir="auto">
                        {visibleName(row.title)}
                      </span>
                    )}
                    {row.title !== row.path && (
                      <span className="mono-meta clip">{visibleName(row.path)}</span>
                    )}
                  </span>
                </td>
                {kind === null && <td className="soft e-kind">{wordOf(row.kind)}</td>}
                <td className="num e-size">{bytesText(row.sizeBytes)}</td>
                <td className="e-act">
                  <a
                    className="icon-btn"
                    href={partPath(data, { path: row.path })}
                    aria-label={copy.downloadOf(visibleName(row.title))}
                    title={copy.download}
                    download
                  >
                    <Download aria-hidden />
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <nav className="pagination" aria-label={copy.next}>
        <span role="status">{page.isPaused ? copy.paused : ""}</span>
        <span className="pagination__pages">
          {address.after !== null && (
            <Link className={buttonClass({ size: "s" })} to={placeIn(data, here)}>
              {copy.first}
            </Link>
          )}
          {page.next !== null && (
            <Link className={buttonClass({ size: "s" })} to={placeIn(data, { ...here, after: page.next })}>
              {page.isPaused ? copy.goOn : copy.next}
            </Link>
          )}
        </span>
      </nav>
    </section>
  );
}
