import { Link, useNavigate } from "@remix-run/react";
import { useQuery } from "@tanstack/react-query";
import { CornerDownRight, File, Folder, Package } from "lucide-react";
import { Callout } from "#app/components/callout.tsx";
import { SelectField } from "#app/components/select-field.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { bytesText } from "#app/format/bytes.ts";
import { dateTimeText } from "#app/format/dates.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { type PartsOf, RestorePartButton } from "#app/restore/restore-part-button.tsx";
import { partPath, placeIn, type VersionRef } from "#app/version/address.ts";
import { DownloadLink } from "#app/version/download-link.tsx";
import type { Times } from "#app/version/note-list.tsx";
import { partPathOf } from "#connectors/contract/part-path.ts";
import type { RefRow, TreePage } from "#core/browsing/views.ts";
import { fileSizesQuery } from "./file-sizes-query.ts";
import { FileView } from "./file-view.tsx";

/** A folder or file of a tree, with its HTML if it is Markdown. */
export type FilesPage = TreePage & { html: string | null; isSource: boolean };

const ICONS = { folder: Folder, file: File, link: CornerDownRight, submodule: Package };
const REF_KINDS = ["branch", "tag", "note", "other", "request"] as const;

/** The path under which the open file or folder is restored by itself; null = it is the root, or nothing is open. */
export function partOfPage({ view, ref, path, at }: TreePage): string | null {
  if (ref === null || at === null || path === "") return null;
  return partPathOf({ type: "file", tree: view.id, ref: ref.name, path });
}

/** A folder or file of a version at one branch or tag. */
export function FilesFrame({ data, page }: { data: PartsOf & Times; page: FilesPage }) {
  const navigate = useNavigate();
  const ref = page.ref?.name ?? null;
  const part = partOfPage(page);
  return (
    <section>
      <div className="browse-tools tree-tools">
        {page.ref !== null && (
          <SelectField
            label={copy.ref}
            value={page.ref.name}
            onChange={(event) =>
              navigate(placeIn(data, "files", { in: page.view.id, ref: event.target.value, path: page.path }))
            }
          >
            {REF_KINDS.map((kind) => (
              <RefGroup key={kind} kind={kind} refs={page.refs.filter((each) => each.kind === kind)} />
            ))}
          </SelectField>
        )}
        {page.at !== null && <Trail data={data} page={page} />}
        {part !== null && <RestorePartButton data={data} path={part} title={page.path} />}
      </div>
      {page.refCount > page.refs.length && (
        <p className="meta">{copy.notOffered(page.refCount - page.refs.length)}</p>
      )}
      {page.obstacle !== null && <Callout>{page.obstacle}</Callout>}
      {page.at?.type === "folder" && <FolderTable data={data} page={page} at={page.at} refName={ref} />}
      {page.at?.type === "file" && <FileView data={data} page={page} at={page.at} isSource={page.isSource} />}
      {page.commits.length > 0 && (
        <section className="section">
          <div className="section-head">
            <h2>{copy.commits}</h2>
          </div>
          <ul className="commit-list">
            {page.commits.map(({ id, title, author, at }) => (
              <li key={id}>
                <span className="mono-meta">{id.slice(0, 7)}</span>
                <span className="clip" dir="auto">
                  {visibleName(title)}
                </span>
                <span className="meta">
                  {visibleName(author)}, {dateTimeText(at, data.timeZone, data.now)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </section>
  );
}

function RefGroup({ kind, refs }: { kind: (typeof REF_KINDS)[number]; refs: readonly RefRow[] }) {
  if (refs.length === 0) return null;
  return (
    <optgroup label={copy.refKinds[kind]}>
      {refs.map(({ name, label }) => (
        <option key={name} value={name}>
          {visibleName(label)}
        </option>
      ))}
    </optgroup>
  );
}

/** Breadcrumb of the path. */
function Trail({ data, page }: { data: VersionRef; page: TreePage }) {
  const parts = page.path === "" ? [] : page.path.split("/");
  const to = (count: number) =>
    placeIn(data, "files", {
      in: page.view.id,
      ref: page.ref?.name ?? null,
      path: parts.slice(0, count).join("/"),
    });
  return (
    <nav className="trail" aria-label={copy.path}>
      <Link className="link" to={to(0)}>
        {copy.root}
      </Link>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: -- a step is identified by its index
        <span key={`${at}/${part}`}>
          <span className="soft" aria-hidden>
            /
          </span>
          {at === parts.length - 1 ? (
            <b dir="auto">{visibleName(part)}</b>
          ) : (
            <Link className="link" dir="auto" to={to(at + 1)}>
              {visibleName(part)}
            </Link>
          )}
        </span>
      ))}
    </nav>
  );
}

function FolderTable({
  data,
  page,
  at,
  refName,
}: {
  data: VersionRef;
  page: TreePage;
  at: Extract<TreePage["at"], { type: "folder" }>;
  refName: string | null;
}) {
  const pathOf = (name: string) => (page.path === "" ? name : `${page.path}/${name}`);
  const sizes = useQuery(
    fileSizesQuery({
      ...{ itemId: data.itemId, snapshotId: data.snapshotId },
      ...{ view: page.view.id, ref: refName, path: page.path },
    }),
  ).data;
  if (at.nodes.length === 0) return <p className="soft browse-empty">{copy.empty}</p>;
  return (
    <>
      <table className="data-table entry-table dt-36">
        <thead>
          <tr>
            <th>{copy.name}</th>
            <th className="e-kind">{copy.kind}</th>
            <th className="e-size">{copy.size}</th>
            <th className="e-act">
              <span className="sr">{copy.download}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {at.nodes.map(({ name, kind, isExecutable }) => {
            const Icon = ICONS[kind];
            const path = pathOf(name);
            const size = sizes?.get(name);
            return (
              <tr key={name}>
                <td>
                  <span className="row">
                    <Icon className="icon-s soft" aria-hidden />
                    {kind === "submodule" ? (
                      <span className="clip" dir="auto">
                        {visibleName(name)}
                      </span>
                    ) : (
                      <Link
                        className="clip"
                        dir="auto"
                        to={placeIn(data, "files", { in: page.view.id, ref: refName, path })}
                      >
                        {visibleName(name)}
                      </Link>
                    )}
                  </span>
                </td>
                <td className="soft e-kind">
                  {copy.kinds[kind]}
                  {isExecutable && `, ${copy.executable}`}
                </td>
                <td className="e-size">{size !== undefined && bytesText(size)}</td>
                <td className="e-act">
                  {kind === "file" && (
                    <DownloadLink
                      href={partPath(data, { path, tree: page.view.id, ref: refName ?? "" })}
                      name={name}
                    />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {at.nodeCount > at.nodes.length && (
        <p className="meta">{copy.moreNodes(at.nodeCount - at.nodes.length)}</p>
      )}
    </>
  );
}
