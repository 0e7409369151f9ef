import { ArrowRight, ArrowUpRight, Download } from "lucide-react";
import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { SearchField } from "#app/components/search-field.tsx";
import { restoredCopy } from "#app/copy/restored.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { saveFile } from "#app/shell/save-file.ts";
import type { RestoreView } from "#core/restores/views.ts";
import { movedCsv } from "./moved-csv.ts";
import { type MovedThing, movedThings, SHOWN_ROWS, searchMoved } from "./restored-view.ts";

const copy = restoredCopy.moves;

/** Old and new numbers and ids, with a search and a download of all of them. */
export function MovedTable({
  restore,
  itemName,
  label,
  isWhole: isAll,
}: {
  restore: RestoreView;
  itemName: string;
  /** The platform's name. */
  label: string;
  /** Show all of them. */
  isWhole: boolean;
}) {
  const [search, setSearch] = useState("");
  const [isUnfolded, setIsUnfolded] = useState(false);
  const isWhole = isAll || isUnfolded;
  const things = movedThings(restore);
  if (things.length === 0) return null;
  const all = restore.report.mappedCount;
  const found = searchMoved(things, search);
  const shown = isWhole ? found : found.slice(0, SHOWN_ROWS);
  const save = () =>
    saveFile(copy.fileName(itemName), new Blob([movedCsv(things, all)], { type: "text/csv" }));
  return (
    <section className="section" aria-label={copy.title}>
      <div className="section-head">
        <h2>{copy.title}</h2>
        <div className="moved-tools">
          <SearchField value={search} label={copy.find} onSearch={setSearch} delayMs={0} />
          <Button onClick={save}>
            <Download aria-hidden />
            {copy.csv(things.length)}
          </Button>
        </div>
      </div>
      {all > things.length && <p className="meta">{copy.held(things.length, all)}</p>}
      <p className="sr" role="status">
        {search !== "" && copy.found(found.length)}
      </p>
      {found.length === 0 ? (
        <p className="soft moved-none">{copy.noneFound(search)}</p>
      ) : (
        <table className="data-table moved-table" aria-label={copy.title}>
          <thead>
            <tr>
              <th className="m-kind">{copy.kind}</th>
              <th className="m-was">{copy.was}</th>
              <th className="m-arrow" />
              <th className="m-now">{copy.isNow}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((thing, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: -- two lines may say the same
              <MovedRow key={index} thing={thing} label={label} />
            ))}
          </tbody>
        </table>
      )}
      {shown.length < found.length && (
        <Button className="moved-more" onClick={() => setIsUnfolded(true)}>
          {restoredCopy.showAll(found.length)}
        </Button>
      )}
    </section>
  );
}

function MovedRow({ thing: { kind, from, to, url }, label }: { thing: MovedThing; label: string }) {
  return (
    <tr>
      <td className="m-kind">{kind}</td>
      <td className="m-was mono">{visibleName(from)}</td>
      <td className="m-arrow soft">
        <ArrowRight className="icon-s" aria-hidden />
      </td>
      <td className="m-now mono">
        {url === null ? (
          visibleName(to)
        ) : (
          <a className="link" href={url} target="_blank" rel="noreferrer" title={restoredCopy.open(label)}>
            {visibleName(to)}
            <ArrowUpRight className="icon-s" aria-hidden />
          </a>
        )}
      </td>
    </tr>
  );
}
