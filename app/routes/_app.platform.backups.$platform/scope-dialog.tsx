import { Link } from "@remix-run/react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { whenWanted } from "#app/api/use-lasting-query.ts";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { scopeCopy as copy } from "#app/copy/history.ts";
import { dialogCopy } from "#app/copy/shared.ts";
import { placeIn, type VersionRef } from "#app/version/address.ts";
import { ScopeList } from "./scope-list.tsx";
import { scopeQuery } from "./scope-queries.ts";
import "./scope.css";

/** What a version covers: a searchable list of its pages and tables with what is below them (spec P-122 to P-126). */
export default function ScopeDialog({
  isOpen,
  onClose,
  version,
  name,
  time,
}: {
  isOpen: boolean;
  onClose: () => void;
  version: VersionRef;
  /** The item's name. */
  name: string;
  /** When the version was taken, in words. */
  time: string;
}) {
  const [search, setSearch] = useState("");
  useEffect(() => {
    if (isOpen) setSearch("");
  }, [isOpen]);
  const { data } = useInfiniteQuery(whenWanted(isOpen, scopeQuery({ version, parent: null, search: "" })));
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
      {hasList && <SearchField value={search} label={copy.search} onSearch={setSearch} className="" />}
      <div className="scope">
        <ScopeList key={search} version={version} parent={null} search={search} />
      </div>
    </Dialog>
  );
}
