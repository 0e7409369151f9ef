import { Archive, Check, ChevronRight, Minus } from "lucide-react";
import { PageHeader } from "#app/components/page-header.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { coverageCopy as copy } from "#app/copy/coverage.ts";
import type { Fate, ShownThing } from "./covered-things.server.ts";
import "./coverage.css";

/** What a version holds of each thing, field by field, and what a restore brings back. */
export function CoveragePage({
  platform,
  label,
  things,
}: {
  platform: string;
  label: string;
  things: readonly ShownThing[];
}) {
  return (
    <>
      <PageHeader folio={[label]} mark={<PlatformMark platform={platform} size="l" />} title={copy.title} />
      <p className="soft coverage-lead">{copy.lead(label)}</p>
      <section aria-labelledby="covered-things">
        <div className="section-head">
          <h2 id="covered-things">{copy.things(label)}</h2>
          <span className="meta">{copy.counts(sumOf(things))}</span>
        </div>
        <div className="coverage">
          {things.map((thing) => (
            <Thing key={thing.name} thing={thing} />
          ))}
        </div>
      </section>
    </>
  );
}

/** The counts of all things together. */
function sumOf(things: readonly ShownThing[]): ShownThing["counts"] {
  const sum = { restored: 0, kept: 0, left: 0 };
  for (const { counts } of things) {
    sum.restored += counts.restored;
    sum.kept += counts.kept;
    sum.left += counts.left;
  }
  return sum;
}

function Thing({ thing: { name, groups, counts } }: { thing: ShownThing }) {
  return (
    <details>
      <summary>
        <ChevronRight aria-hidden />
        <h3>{name}</h3>
        <span className="meta">{copy.counts(counts)}</span>
      </summary>
      <dl>
        {groups.map(({ fate, fields, because }) => (
          <div key={`${fate} ${because}`}>
            <dt>
              <span className="status-badge">
                <FateIcon fate={fate} />
                {copy.fates[fate]}
              </span>
            </dt>
            <dd>
              {fields.join(", ")}
              {because !== null && <span className="meta">{because}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function FateIcon({ fate }: { fate: Fate }) {
  switch (fate) {
    case "restored":
      return <Check className="ok-t" aria-hidden />;
    case "kept":
      return <Archive className="soft" aria-hidden />;
    case "left":
      return <Minus className="soft" aria-hidden />;
    default:
      return fate satisfies never;
  }
}
