import { Link } from "@remix-run/react";
import { ArrowRight, ChevronDown } from "lucide-react";
import { useState } from "react";
import { buttonClass } from "#app/components/button.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { homeCopy as copy } from "#app/copy/home.ts";
import { countText } from "#app/format/counts.ts";
import { useRestricted } from "#app/session/use-restricted.ts";
import type { ShellPlatform } from "#app/shell/shell-view.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { PlatformOverview } from "#core/overview/views.ts";
import { ActivityList } from "./activity-list.tsx";
import { failingNow, isInTrouble } from "./platform-state.ts";
import { Protection } from "./protection.tsx";
import type { Keeping } from "./queries.server.ts";
import { SubscriptionCard } from "./subscription-card.tsx";

/** One platform: its subscription, how it is protected, and what ran last (spec B-087 to B-089). Folds on phones. */
export function PlatformBlock({
  platform,
  overview,
  keeping,
  isOpenAtFirst,
}: {
  platform: ShellPlatform;
  /** Null = started, but no account is connected. */
  overview: PlatformOverview | null;
  keeping: Keeping | null;
  isOpenAtFirst: boolean;
}) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const isRestricted = useRestricted();
  const { id, label } = platform;
  const kinds = descriptors.find((each) => each.id === id)?.itemKinds ?? [];
  const bodyId = `dash-${id}`;
  return (
    <section
      className={isOpen ? "platform-block is-open" : "platform-block"}
      aria-labelledby={`${bodyId}-title`}
    >
      <header className="platform-block__head">
        <PlatformMark platform={id} size="l" />
        <h3 id={`${bodyId}-title`}>
          {overview ? <Link to={`/platform/dashboard/${id}`}>{label}</Link> : label}
        </h3>
        <span className="meta platform-block__meta">{metaOf(overview, kinds)}</span>
        <button
          type="button"
          className="fold-sum"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => setIsOpen(!isOpen)}
        >
          <span className="sr">{label} </span>
          {overview && <FoldSum overview={overview} />}
          <ChevronDown aria-hidden />
        </button>
        {overview ? (
          <Link className={buttonClass({ variant: "ghost", size: "s" })} to={`/platform/dashboard/${id}`}>
            {copy.open}
            <span className="sr"> {label}</span>
            <ArrowRight className="icon-s" aria-hidden />
          </Link>
        ) : (
          !isRestricted && (
            <Link
              className={buttonClass({ variant: "ghost", size: "s" })}
              to={`/app-connector?platform=${id}`}
            >
              {copy.connect}
              <span className="sr"> {label}</span>
            </Link>
          )
        )}
      </header>
      <div className="platform-block__body" id={bodyId}>
        <SubscriptionCard platform={platform} keeping={keeping} />
        <Protection platform={id} overview={overview} many={kinds[0]?.many ?? ""} />
        <ActivityList overview={overview} />
      </div>
    </section>
  );
}

function metaOf(
  overview: PlatformOverview | null,
  kinds: readonly { id: string; one: string; many: string }[],
): string {
  if (overview === null) return copy.notConnected;
  const names = overview.accounts.map(({ name }) => name).join(", ");
  const counted = kinds.flatMap(({ id, one, many }) => {
    const all = overview.kinds.find(({ kind }) => kind === id)?.all ?? 0;
    return all === 0 ? [] : [countText(all, one, many)];
  });
  return counted.length === 0 ? names : `${names} · ${counted.join(", ")}`;
}

function FoldSum({ overview }: { overview: PlatformOverview }) {
  const mark = failingNow(overview) > 0 ? "dot dot-bad" : "dot dot-warn";
  return (
    <>
      {isInTrouble(overview) && <span className={mark} />}
      {overview.counts.fresh}/{overview.counts.all}
    </>
  );
}
