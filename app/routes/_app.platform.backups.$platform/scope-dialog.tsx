import { Link } from "@remix-run/react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { whenWanted } from "#app/api/use-lasting-query.ts";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { useLastOpen } from "#app/components/use-last-open.ts";
import { scopeCopy as copy } from "#app/copy/history.ts";
import { dialogCopy } from "#app/copy/shared.ts";
import { useRestricted } from "#app/session/use-restricted.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { placeIn, type VersionRef } from "#app/version/address.ts";
import type { PageNode } from "#connectors/contract/pages-view.ts";
import { descriptors, uis } from "#connectors/registry/descriptors.generated.ts";
import { ScopeList } from "./scope-list.tsx";
import { type ScopePage, scopeQuery } from "./scope-queries.ts";
import "./scope.css";

/** What a version covers: a searchable list of its pages and tables with what is below them (spec P-122 to P-126). */
export default function ScopeDialog({
  isOpen,
  onClose,
  name,
  ...shown
}: {
  isOpen: boolean;
  onClose: () => void;
  version: VersionRef;
  /** The item's name. */
  name: string;
  /** When the version was taken, in words. */
  time: string;
}) {
  const { version, time } = useLastOpen(isOpen, shown);
  const [search, setSearch] = useState("");
  const [type, setType] = useState<PageNode["type"] | null>(null);
  useEffect(() => {
    if (!isOpen) return;
    setSearch("");
    setType(null);
  }, [isOpen]);
  const roots = { version, parent: null, search: "", type: null };
  const { data } = useInfiniteQuery(whenWanted(isOpen, scopeQuery(roots)));
  const first = data?.pages[0];
  const hasList = first !== undefined && first.rows.length > 0;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="m"
      title={copy.title}
      description={hasList ? copy.counts(name, time, first.pageCount, first.tableCount) : copy.of(name, time)}
      footer={
        <>
          <Link className="link push-end" to={placeIn(version, null)}>
            {copy.open}
          </Link>
          <Button variant="solid" onClick={onClose}>
            {dialogCopy.close}
          </Button>
        </>
      }
    >
      {hasList && (
        <div className="scope-tools">
          <SearchField value={search} label={copy.search} onSearch={setSearch} className="" />
          <TypeChoice value={type} page={first} onChoose={setType} />
        </div>
      )}
      <div className="scope">
        <ScopeList key={`${type} ${search}`} version={version} parent={null} search={search} type={type} />
      </div>
      {hasList && <OutsideNote platform={version.platform} />}
    </Dialog>
  );
}

/** Everything, only the pages, or only the tables, each with its number. */
function TypeChoice({
  value,
  page: { pageCount, tableCount },
  onChoose,
}: {
  value: PageNode["type"] | null;
  page: Pick<ScopePage, "pageCount" | "tableCount">;
  onChoose: (type: PageNode["type"] | null) => void;
}) {
  const choices = [
    [null, copy.all, pageCount + tableCount],
    ["page", copy.pages, pageCount],
    ["table", copy.tables, tableCount],
  ] as const;
  return (
    <fieldset className="scope-types">
      <legend className="sr">{copy.type}</legend>
      {choices.map(([type, label, count]) => (
        <button key={label} type="button" aria-pressed={value === type} onClick={() => onChoose(type)}>
          {label} <span className="mono-meta">{count.toLocaleString("en-US")}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** What is picked at the platform can be picked anew, by the owner and where the app connector is shown (spec A-034). */
function OutsideNote({ platform }: { platform: string }) {
  const { isOwner } = useShell().member;
  const isRestricted = useRestricted();
  const label = descriptors.find(({ id }) => id === platform)?.label ?? platform;
  if (uis[platform]?.picking === undefined) return null;
  return (
    <p className="meta scope-outside">
      {copy.outside(label)}{" "}
      {isOwner && !isRestricted && (
        <Link className="link" to={`/app-connector?platform=${platform}`}>
          {copy.choose(label)}
        </Link>
      )}
    </p>
  );
}
