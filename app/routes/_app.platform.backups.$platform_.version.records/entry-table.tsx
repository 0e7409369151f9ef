import { Link, useNavigate } from "@remix-run/react";
import { SearchField } from "#app/components/search-field.tsx";
import { SelectField } from "#app/components/select-field.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { bytesText } from "#app/format/bytes.ts";
import { capitalised } from "#app/format/counts.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { type PartsOf, RestorePartButton } from "#app/restore/restore-part-button.tsx";
import { partPath, placeIn } from "#app/version/address.ts";
import { DownloadLink } from "#app/version/download-link.tsx";
import { ListPages } from "#app/version/list-pages.tsx";
import { partPathOf } from "#connectors/contract/part-path.ts";
import type { EntryPage, KindCount } from "#core/browsing/views.ts";
import type { RecordsAddress } from "./queries.server.ts";

/** Records of a version, one page at a time. */
export function EntryTable({
  data,
  page,
  kinds,
  address,
}: {
  data: PartsOf;
  page: EntryPage;
  kinds: readonly KindCount[];
  address: RecordsAddress;
}) {
  const navigate = useNavigate();
  const { kind, search } = address;
  const here = { kind, q: search };
  const go = (place: { kind: string | null; q: string | null }) =>
    navigate(placeIn(data, "records", place), { preventScrollReset: true });
  const wordOf = (id: string) => kinds.find((each) => each.kind === id)?.one ?? id;
  return (
    <section>
      <div className="list-toolbar browse-tools record-tools">
        <SearchField value={search ?? ""} label={copy.search} onSearch={(q) => go({ ...here, q })} />
        <SelectField
          label={copy.kind}
          value={kind ?? ""}
          onChange={(event) => go({ ...here, kind: event.target.value })}
        >
          <option value="">{copy.anyKind}</option>
          {kinds.map((each) => (
            <option key={each.kind} value={each.kind}>
              {capitalised(each.many)} ({each.count.toLocaleString("en-US")})
            </option>
          ))}
        </SelectField>
        {kind !== null && (
          <RestorePartButton
            data={data}
            path={partPathOf({ type: "all", kind })}
            title={kinds.find((each) => each.kind === kind)?.many ?? kind}
          />
        )}
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
                        to={placeIn(data, "records", { path: row.path, kind })}
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
                  <DownloadLink href={partPath(data, { path: row.path })} name={row.title} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <ListPages
        first={address.after === null ? null : placeIn(data, "records", here)}
        next={page.next === null ? null : placeIn(data, "records", { ...here, after: page.next })}
        isPaused={page.isPaused}
      />
    </section>
  );
}
