import { TriangleAlert } from "lucide-react";
import { buttonClass } from "#app/components/button.tsx";
import { homeCopy as copy } from "#app/copy/home.ts";
import type { Overview } from "#core/overview/views.ts";
import { attentionCount, sumCounts } from "./platform-state.ts";

/** The one number of the page, and what it leaves out. */
export function Headline({ overview }: { overview: Overview }) {
  const { all, fresh, never, paused, deleted } = sumCounts(overview.platforms);
  const count = attentionCount(overview);
  return (
    <section className="headline">
      <div>
        <p className="headline__n">
          {all === 0 ? (
            copy.headlineEmpty
          ) : (
            <>
              {copy.headline(fresh, all)} <small>{copy.headlineRest}</small>
            </>
          )}
        </p>
        <p className="headline__t">
          {overview.attention.length > 0 ? (
            <span className="warn-t row">
              <TriangleAlert aria-hidden />
              <b className="medium">{count === "1" ? copy.needsAttention : copy.needAttention(count)}</b>
            </span>
          ) : (
            all > 0 && <span>{copy.sound}</span>
          )}
          {paused > 0 && <span>{copy.paused(paused)}</span>}
          {never > 0 && <span>{copy.never(never)}</span>}
          {deleted > 0 && <span>{copy.deleted(deleted)}</span>}
        </p>
      </div>
      {overview.attention.length > 0 && (
        <a className={buttonClass({ variant: "solid" })} href="#needs-attention">
          {copy.review(count)}
        </a>
      )}
    </section>
  );
}
