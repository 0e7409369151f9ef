import { Link } from "@remix-run/react";
import { ArrowLeft, ArrowUpRight, Check, Printer, ShieldCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { flushSync } from "react-dom";
import { Button, buttonClass } from "#app/components/button.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { browseCopy } from "#app/copy/browse.ts";
import { restoredCopy as copy } from "#app/copy/restored.ts";
import { fullDateText, timeText } from "#app/format/dates.ts";
import { durationText } from "#app/format/duration.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { MovedTable } from "./moved-table.tsx";
import type { RestoredPageData } from "./queries.server.ts";
import { RestoredNotes } from "./restored-notes.tsx";
import { RestoredSentence } from "./restored-sentence.tsx";
import { RestoredTable } from "./restored-table.tsx";
import { factCards, noteLines, verdictOf } from "./restored-view.ts";

/** The report of a restore: its outcome, what came back, what did not, and where things are now. */
export function RestoredPage({ data }: { data: RestoredPageData }) {
  const { restore, itemId, itemName, timeZone } = data;
  const { platform } = restore.item;
  const label = descriptors.find(({ id }) => id === platform)?.label ?? platform;
  const { isComplete, text } = verdictOf(restore);
  const [isWhole, setIsWhole] = useState(false);
  const print = () => {
    flushSync(() => setIsWhole(true));
    window.print();
  };
  const at = `${fullDateText(restore.finishedAt, timeZone)} ${timeText(restore.finishedAt, timeZone)}`;
  return (
    <>
      <Link className="back-link" to={`/platform/backups/${platform}?id=${encodeURIComponent(itemId)}`}>
        <ArrowLeft className="icon-s" aria-hidden />
        {browseCopy.back(itemName)}
      </Link>
      <PageHeader
        folio={[copy.folio(at, restore.by), durationText(restore.finishedAt - restore.startedAt)]}
        mark={
          isComplete ? (
            <Check className="ok-t restored-mark" role="img" aria-label={copy.verdict.goodMark} />
          ) : (
            <TriangleAlert className="bad-t restored-mark" role="img" aria-label={copy.verdict.missingMark} />
          )
        }
        title={text}
        keepActions
        actions={
          <>
            <Button onClick={print}>
              <Printer aria-hidden />
              {copy.print}
            </Button>
            {restore.target.url !== "" && (
              <a
                className={buttonClass({ variant: "solid" })}
                href={restore.target.url}
                target="_blank"
                rel="noreferrer"
              >
                {copy.open(label)}
                <ArrowUpRight aria-hidden />
              </a>
            )}
          </>
        }
      />
      <RestoredSentence data={data} />
      <dl className="info-cards">
        {factCards(restore, label).map(({ id, name, value, note, isGood }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd className="restored-value">
              {isGood && <ShieldCheck className="ok-t" aria-hidden />}
              {value}
            </dd>
            <dd className="info-cards__note restored-note">{note}</dd>
          </div>
        ))}
      </dl>
      <div className="restored-columns section">
        <RestoredTable restore={restore} />
        <RestoredNotes lines={noteLines(restore)} isWhole={isWhole} />
      </div>
      <MovedTable restore={restore} itemName={itemName} label={label} isWhole={isWhole} />
    </>
  );
}
