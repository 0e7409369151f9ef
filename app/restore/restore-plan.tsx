import { Minus, Plus, TriangleAlert } from "lucide-react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { restoreCopy } from "#app/copy/restore.ts";
import { timeText } from "#app/format/dates.ts";
import { spokenDuration } from "#app/format/duration.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";
import type { ItemView } from "#core/inventory/views.ts";
import type { FetchedPlan, PlanQuery } from "./fetch-restore-plan.ts";
import { useRestorePlan } from "./use-restore-plan.ts";

/**
 * What a restore will create, what it cannot restore, and what it costs. While the plan loads, and when it fails, shows
 * the platform's general text instead.
 */
export function RestorePlan({
  platform,
  item,
  query,
  skippedCount,
  timeZone,
}: {
  platform: string;
  /** The item of the version; null for a part, which has no general sentences. */
  item: ItemView | null;
  /** null = the order is incomplete. */
  query: PlanQuery | null;
  /** Number of entries that the backup had to skip. */
  skippedCount: number;
  timeZone: string;
}) {
  const state = useRestorePlan(query);
  const plan = state.kind === "ready" ? state.plan : state.kind === "loading" ? state.last : null;
  const words = item === null ? undefined : restoreWords[platform];
  const kind = item?.kind ?? "";
  const label = descriptors.find(({ id }) => id === platform)?.label ?? platform;
  // The plan tells the same with its own reason.
  const isInPlan = (sentence: string) => plan?.impossible.some(({ what }) => sentence.startsWith(`${what}:`));
  const cannot = (words?.cannot[kind] ?? []).filter((sentence) => !isInPlan(sentence));
  const hasLosses = cannot.length > 0 || (plan?.impossible.length ?? 0) > 0;
  const isWaiting = state.kind === "loading" && query !== null;
  return (
    <aside className="restore-plan" aria-label={restoreCopy.comesBack} aria-busy={isWaiting}>
      <h3>
        <Plus aria-hidden />
        {restoreCopy.comesBack}
      </h3>
      {plan === null ? <Sentences sentences={words?.comesBack[kind] ?? []} isInk /> : <Counts plan={plan} />}
      <div className="restore-plan__cost" aria-live="polite">
        {isWaiting && plan === null && <p>{restoreCopy.plan.loading}</p>}
        {plan !== null && <CostText plan={plan} label={label} timeZone={timeZone} />}
        {state.kind === "failed" && (
          <p>
            {restoreCopy.plan.failed(state.message)}{" "}
            <Button variant="ghost" onClick={state.retry}>
              {restoreCopy.plan.retry}
            </Button>
          </p>
        )}
      </div>
      <Missing plan={plan} skipped={skippedCount} />
      {plan !== null && plan.changed.length > 0 && (
        <>
          <h3 className="restore-plan__next">{restoreCopy.plan.changed}</h3>
          <Lines lines={plan.changed} />
        </>
      )}
      {hasLosses && (
        <h3 className="restore-plan__next">
          <Minus aria-hidden />
          {restoreCopy.cannot}
        </h3>
      )}
      {plan !== null && <Lines lines={plan.impossible} />}
      <Sentences sentences={cannot} />
      {item?.isOpen && (
        <div className="restore-plan__next">
          <Callout tone="warn">{restoreCopy.publicSource}</Callout>
        </div>
      )}
    </aside>
  );
}

/** Warns before the restore about entries that the version lacks. */
function Missing({ plan, skipped }: { plan: FetchedPlan | null; skipped: number }) {
  const lines = plan?.missing ?? [];
  if (lines.length === 0 && skipped === 0) return null;
  return (
    <>
      <h3 className="restore-plan__next restore-plan__missing">
        <TriangleAlert aria-hidden />
        {restoreCopy.missing}
      </h3>
      {skipped > 0 && <Sentences sentences={[restoreCopy.skipped(skipped)]} isInk />}
      <Lines lines={lines} />
    </>
  );
}

/** How many of each kind will be created. A kind without any is left out. */
function Counts({ plan }: { plan: FetchedPlan }) {
  return (
    <dl>
      {plan.creates
        .filter(({ count }) => count > 0)
        .map(({ kind, count, one, many }) => (
          <div key={kind} className="restore-plan__count">
            <dt>{upperFirst(count === 1 ? one : many)}</dt>
            <dd>{restoreCopy.plan.count(count, plan.isEstimate && count > ABOUT_FROM)}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Even in an estimated plan, counts up to this number are exact. */
const ABOUT_FROM = 60;

/** Shows the cost in calls and time. */
function CostText({ plan, label, timeZone }: { plan: FetchedPlan; label: string; timeZone: string }) {
  const { cost, slower, pausedUntil } = plan;
  return (
    <>
      <p className="is-ink">{restoreCopy.plan.cost(cost.calls, label, spokenDuration(cost.durationMs))}</p>
      {pausedUntil !== null && <p>{restoreCopy.plan.paused(label, timeText(pausedUntil, timeZone))}</p>}
      {slower !== null && slower.durationMs > 2 * cost.durationMs && (
        <p>{restoreCopy.plan.slower(slower.reason, slower.calls, spokenDuration(slower.durationMs))}</p>
      )}
    </>
  );
}

/** Lists names with their reasons. */
function Lines({ lines }: { lines: FetchedPlan["changed"] }) {
  if (lines.length === 0) return null;
  return (
    <ul>
      {lines.map(({ what, reason }) => (
        <li key={`${what} ${reason}`}>
          <b>{what}</b> {reason}
        </li>
      ))}
    </ul>
  );
}

function Sentences({ sentences, isInk = false }: { sentences: readonly string[]; isInk?: boolean }) {
  if (sentences.length === 0) return null;
  return (
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence} className={isInk ? "is-ink" : undefined}>
          {sentence}
        </li>
      ))}
    </ul>
  );
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
