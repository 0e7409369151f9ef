import { useInfiniteQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight, FileText, Table2 } from "lucide-react";
import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { browseCopy } from "#app/copy/browse.ts";
import { scopeCopy as copy } from "#app/copy/history.ts";
import { failureCopy } from "#app/copy/shared.ts";
import { visibleName } from "#app/format/visible-text.ts";
import type { PageNode } from "#connectors/contract/pages-view.ts";
import { isWithoutScope, type ScopeOrder, scopeQuery } from "./scope-queries.ts";

/** Lines that stand while a level loads. */
const WAITING = [72, 48, 60];

/** One level of the scope with title and type of each item (spec P-122). An item's children load when it is expanded. */
export function ScopeList({ depth = 0, ...order }: ScopeOrder & { depth?: number }) {
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    scopeQuery(order),
  );
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  const last = data?.pages.at(-1);
  if (error !== null && isWithoutScope(error)) return depth === 0 ? <NoScope /> : null;
  const isEmpty = rows.length === 0 && !isFetching && error === null && !hasNextPage;
  if (isEmpty && order.search !== "") return <NothingFound search={order.search} of={last} />;
  if (isEmpty && order.type !== null) return <p className="meta scope__note">{copy.noneOf[order.type]}</p>;
  if (isEmpty) return depth === 0 ? <NoScope /> : <p className="meta scope__note">{copy.nothingBelow}</p>;
  return (
    <ul className={depth === 0 ? "scope__list" : undefined} aria-busy={isFetching}>
      {rows.map((node) => (
        <ScopeItem key={node.id} node={node} order={order} depth={depth} />
      ))}
      {isFetching && WAITING.map((width) => <WaitingLine key={width} width={width} depth={depth} />)}
      {error !== null && (
        <li className="scope__note row wraps" role="alert">
          <span className="bad-t">{error.message}</span>
          <Button size="s" onClick={() => void (data ? fetchNextPage() : refetch())}>
            {failureCopy.refresh}
          </Button>
        </li>
      )}
      {hasNextPage && !isFetching && error === null && (
        <li className="scope__note row">
          {last?.isPaused && <span className="meta">{copy.paused}</span>}
          <Button size="s" variant="ghost" onClick={() => void fetchNextPage()}>
            {last?.isPaused ? copy.searchOn : browseCopy.morePages}
          </Button>
        </li>
      )}
    </ul>
  );
}

/** An item: its title, its type, the number of items below it, and those when it is expanded (spec P-124). */
function ScopeItem({ node, order, depth }: { node: PageNode; order: ScopeOrder; depth: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const { id, type, title, icon, childCount } = node;
  const name = visibleName(title) || browseCopy.nameless;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const Icon = type === "table" ? Table2 : FileText;
  // What a search or a type finds on every level is a flat list.
  const hasChildren = order.search === "" && order.type === null && childCount !== 0;
  const line = (
    <>
      {hasChildren ? <Chevron className="icon-s soft" aria-hidden /> : <span className="scope__gap" />}
      {icon === null ? <Icon className="icon-s soft" aria-hidden /> : <span aria-hidden>{icon}</span>}
      <span className="clip" dir="auto" title={name}>
        {name}
      </span>
      <span className="meta">{copy.types[type]}</span>
      <span className="mono-meta num">{childCount ? childCount.toLocaleString("en-US") : ""}</span>
    </>
  );
  const indent = { paddingLeft: `calc(var(--s-2) + ${Math.min(depth, 8) * 20}px)` };
  return (
    <li>
      {hasChildren ? (
        <button
          type="button"
          className="scope__line"
          style={indent}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {line}
        </button>
      ) : (
        <div className="scope__line" style={indent}>
          {line}
        </div>
      )}
      {isOpen && <ScopeList version={order.version} parent={id} search="" type={null} depth={depth + 1} />}
    </li>
  );
}

function WaitingLine({ width, depth }: { width: number; depth: number }) {
  return (
    <li className="scope__line" style={{ paddingLeft: `calc(var(--s-2) + ${depth * 20}px)` }}>
      <span className="scope__gap" />
      <span className="skeleton scope__gap">&nbsp;</span>
      <span className="skeleton" style={{ width: `${width}%` }}>
        &nbsp;
      </span>
    </li>
  );
}

function NothingFound({
  search,
  of,
}: {
  search: string;
  of: { pageCount: number; tableCount: number } | undefined;
}) {
  return (
    <div className="scope__none" role="status">
      <p className="medium">{copy.noResults}</p>
      <p className="soft">{copy.noResultsFor(search, (of?.pageCount ?? 0) + (of?.tableCount ?? 0))}</p>
    </div>
  );
}

function NoScope() {
  return (
    <div className="scope__none" role="status">
      <p className="medium">{copy.none}</p>
      <p className="soft">{copy.noneText}</p>
    </div>
  );
}
