import { ArrowRight, Check, Minus, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { historyCopy } from "#app/copy/history.ts";
import { capitalised } from "#app/format/counts.ts";
import type { HistoryRow } from "#core/backups/views.ts";

const copy = historyCopy.report;
type Report = NonNullable<HistoryRow["report"]>;
type Line = Report["missing"][number];

/**
 * The report of a restore: what is missing, what came back, notes, and where things are now. Notes have a neutral mark:
 * they do not make a success less of one. Red means that something is missing.
 */
export function RestoreReport({ report }: { report: Report }) {
  const { missing, changed, impossible } = report;
  const hasNotes = changed.length + impossible.length > 0;
  return (
    <div className="restore-report">
      {missing.length > 0 && (
        <Lines
          title={copy.missing}
          lines={missing}
          mark={<TriangleAlert className="bad-t" role="img" aria-label={copy.marks.missing} />}
        />
      )}
      <div className="restore-report__columns">
        <Counts restored={report.restored} />
        {hasNotes && (
          <section>
            <h2>{copy.notes}</h2>
            <NoteLines lines={changed} mark={<ArrowRight role="img" aria-label={copy.marks.changed} />} />
            <NoteLines lines={impossible} mark={<Minus role="img" aria-label={copy.marks.impossible} />} />
          </section>
        )}
      </div>
      <Mapped report={report} />
    </div>
  );
}

/** The sums of what came back. Kinds without anything are left out. */
function Counts({ restored }: Pick<Report, "restored">) {
  const counts = Object.entries(restored).filter(([, count]) => count > 0);
  if (counts.length === 0) return null;
  return (
    <section>
      <h2>{copy.restored}</h2>
      <dl className="restore-report__counts">
        {counts.map(([kind, count]) => (
          <div key={kind}>
            <dt>
              <Check className="ok-t" aria-hidden />
              {capitalised(kind.replaceAll("-", " "))}
            </dt>
            <dd>{count.toLocaleString("en-US")}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Lines({ title, lines, mark }: { title: string; lines: readonly Line[]; mark: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      <NoteLines lines={lines} mark={mark} />
    </section>
  );
}

function NoteLines({ lines, mark }: { lines: readonly Line[]; mark: ReactNode }) {
  if (lines.length === 0) return null;
  return (
    <ul className="restore-report__notes">
      {lines.map(({ what, reason }) => (
        <li key={`${what} ${reason}`}>
          {mark}
          <div>
            <b>{what}</b>
            <p>{reason}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Numbers and ids that are others now. */
function Mapped({ report: { mapped, mappedCount } }: { report: Report }) {
  if (mapped.length === 0) return null;
  return (
    <section>
      <h2>{copy.mapped}</h2>
      <ul className="restore-report__mapped">
        {mapped.map(({ kind, from, to, url }) => (
          <li key={`${kind} ${from}`}>
            <span className="soft">{capitalised(kind.replaceAll("-", " "))}</span>
            <span className="mono-meta">{from}</span>
            <ArrowRight role="img" aria-label={copy.isNow} />
            <span className="mono-meta">
              {url === null ? (
                to
              ) : (
                <a className="link" href={url} target="_blank" rel="noreferrer">
                  {to}
                </a>
              )}
            </span>
          </li>
        ))}
      </ul>
      {mappedCount > mapped.length && (
        <p className="meta">{historyCopy.skipped.more(mappedCount - mapped.length)}</p>
      )}
    </section>
  );
}
