import { PlatformMark } from "#app/components/platform-mark.tsx";
import { runsCopy } from "#app/copy/runs.ts";
import { limitView } from "#app/runs/limit-words.ts";
import type { Reading } from "#app/runs/round-words.ts";
import type { ProviderLimit } from "#core/rounds/views.ts";

const copy = runsCopy.limits;

/** What the providers still allow. Accounts about which nothing is known are left out. */
export function LimitsRail({ limits, reading }: { limits: readonly ProviderLimit[]; reading: Reading }) {
  const shown = limits
    .map((limit) => ({ limit, view: limitView(limit, reading) }))
    .filter(({ view }) => view.text !== "");
  if (shown.length === 0) return null;
  return (
    <aside aria-labelledby="limits">
      <div className="section-head">
        <h2 id="limits">{copy.title}</h2>
      </div>
      <ul className="limits">
        {shown.map(({ limit, view: { opens, percent, isFull, text } }) => {
          const label = reading.labelOf(limit.platform);
          const name = limit.account === null ? label : `${label} · ${limit.account}`;
          return (
            <li key={limit.connectionId}>
              <h3>
                <span className="row">
                  <PlatformMark platform={limit.platform} />
                  <span className="clip">{name}</span>
                </span>
                {opens !== null && <span className="nowrap">{opens}</span>}
              </h3>
              {percent !== null && (
                <div className={isFull ? "progress is-full" : "progress"} aria-hidden>
                  <i style={{ width: `${percent}%` }} />
                </div>
              )}
              <p className="meta">{text}</p>
            </li>
          );
        })}
      </ul>
    </aside>
  );
}
