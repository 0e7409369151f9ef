import { Link } from "@remix-run/react";
import { ChevronDown, ChevronRight, FileText, Table2 } from "lucide-react";
import { useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { Button } from "#app/components/button.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { placeIn, type VersionRef } from "#app/version/address.ts";
import type { PageNode } from "#connectors/contract/pages-view.ts";
import { fetchPages } from "./fetch-pages.ts";
import type { TreeLevel } from "./queries.server.ts";

/** The loaded children of a page. */
type Level = { rows: PageNode[]; next: string | null };
const ROOTS = "";

/** The tree of pages. A page's children load when it is expanded. */
export function PageTree({
  data,
  view,
  levels,
  opened,
}: {
  data: VersionRef;
  view: string;
  levels: readonly TreeLevel[];
  /** Id of the page or table that is open. */
  opened: string | null;
}) {
  const [given, setGiven] = useState(levels);
  const [read, setRead] = useState(() => levelsWith(new Map(), levels));
  const [folded, setFolded] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [failed, setFailed] = useState<string | null>(null);
  // What is unfolded stays so when something else is opened.
  if (given !== levels) {
    setGiven(levels);
    setRead(levelsWith(read, levels));
  }
  const isUnfolded = (id: string) => folded.get(id) ?? read.has(id);

  async function readMore(id: string, level: Level | undefined) {
    setFailed(null);
    try {
      const parent = id === ROOTS ? null : id;
      const page = await fetchPages(data, { view, parent, after: level?.next ?? null });
      const rows = [...(level?.rows ?? []), ...page.rows];
      setRead((before) => new Map(before).set(id, { rows, next: page.next }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailed(id);
    }
  }

  function toggle(id: string) {
    const next = !isUnfolded(id);
    setFolded((before) => new Map(before).set(id, next));
    if (next && !read.has(id)) void readMore(id, undefined);
  }

  function branch(id: string, depth: number) {
    const level = read.get(id);
    return (
      <ul>
        {level?.rows.map((node) => (
          <li key={node.id}>
            <TreeLine
              data={data}
              view={view}
              node={node}
              depth={depth}
              isOpen={node.id === opened}
              isUnfolded={isUnfolded(node.id)}
              onToggle={() => toggle(node.id)}
            />
            {isUnfolded(node.id) && branch(node.id, depth + 1)}
          </li>
        ))}
        {failed === id && (
          <li className="meta" role="alert">
            {copy.treeFailed}
          </li>
        )}
        {level !== undefined && level.next !== null && (
          <li>
            <Button size="s" variant="ghost" onClick={() => void readMore(id, level)}>
              {copy.morePages}
            </Button>
          </li>
        )}
      </ul>
    );
  }

  return (
    <nav className="tree" aria-label={copy.tree}>
      {branch(ROOTS, 0)}
    </nav>
  );
}

/** Adds the given levels to those that are known. One that is known has been read further. */
function levelsWith(
  known: ReadonlyMap<string, Level>,
  levels: readonly TreeLevel[],
): ReadonlyMap<string, Level> {
  const given = levels.map(({ parent, list }): [string, Level] => [parent ?? ROOTS, list]);
  return new Map([...given, ...known]);
}

function TreeLine({
  data,
  view,
  node: { id, type, title, icon, isArchived, childCount },
  depth,
  isOpen,
  isUnfolded,
  onToggle,
}: {
  data: VersionRef;
  view: string;
  node: PageNode;
  depth: number;
  isOpen: boolean;
  isUnfolded: boolean;
  onToggle: () => void;
}) {
  const name = visibleName(title) || copy.nameless;
  const Chevron = isUnfolded ? ChevronDown : ChevronRight;
  const Icon = type === "table" ? Table2 : FileText;
  return (
    <div className="tree__line" style={{ paddingLeft: depth * 18 }} data-open={isOpen || undefined}>
      {childCount === 0 ? (
        <span className="tree__none" />
      ) : (
        <button
          type="button"
          className="icon-btn tree__fold"
          aria-expanded={isUnfolded}
          aria-label={copy.pagesBelow(name)}
          onClick={onToggle}
        >
          <Chevron aria-hidden />
        </button>
      )}
      <Link
        to={placeIn(data, "pages", { in: view, [type === "page" ? "part" : "table"]: id })}
        aria-current={isOpen ? "page" : undefined}
        className={isArchived ? "soft" : undefined}
        preventScrollReset
      >
        {icon === null ? <Icon className="icon-s soft" aria-hidden /> : <span aria-hidden>{icon}</span>}
        <span className="clip" dir="auto">
          {name}
        </span>
        {childCount !== null && childCount > 0 && (
          <span className="mono-meta">{childCount.toLocaleString("en-US")}</span>
        )}
      </Link>
    </div>
  );
}
