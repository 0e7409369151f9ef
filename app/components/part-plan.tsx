import { Minus, Plus } from "lucide-react";
import { useEffect, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { type FetchedPlan, fetchPartPlan } from "#app/api/fetch-restore-plan.ts";
import { restoreCopy } from "#app/copy/restore.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { CostText, Counts, Lines, Missing } from "./restore-plan.tsx";

/** The part to restore. */
export type RestoredPart = {
  itemId: string;
  snapshotId: string;
  path: string;
  title: string;
  kind: "card" | "column";
};

/** What restoring a part will create, what it cannot restore, and what it costs. */
export function PartPlan({
  part,
  into,
  platform,
  timeZone,
}: {
  part: RestoredPart;
  into: "new" | "existing";
  platform: string;
  timeZone: string;
}) {
  const { plan, failure } = usePartPlan(part, into);
  const label = descriptors.find(({ id }) => id === platform)?.label ?? platform;
  return (
    <aside
      className="restore-plan"
      aria-label={restoreCopy.comesBack}
      aria-busy={plan === null && failure === null}
    >
      <h3>
        <Plus aria-hidden />
        {restoreCopy.comesBack}
      </h3>
      {plan !== null && <Counts plan={plan} />}
      <div className="restore-plan__cost" aria-live="polite">
        {plan === null && failure === null && <p>{restoreCopy.plan.loading}</p>}
        {plan !== null && <CostText plan={plan} label={label} timeZone={timeZone} />}
        {failure !== null && <p>{restoreCopy.plan.failed(failure)}</p>}
      </div>
      <Missing plan={plan} />
      {plan !== null && plan.changed.length > 0 && (
        <>
          <h3 className="restore-plan__next">{restoreCopy.plan.changed}</h3>
          <Lines lines={plan.changed} />
        </>
      )}
      {plan !== null && plan.impossible.length > 0 && (
        <>
          <h3 className="restore-plan__next">
            <Minus aria-hidden />
            {restoreCopy.cannot}
          </h3>
          <Lines lines={plan.impossible} />
        </>
      )}
    </aside>
  );
}

function usePartPlan(
  { itemId, snapshotId, path }: RestoredPart,
  into: "new" | "existing",
): { plan: FetchedPlan | null; failure: string | null } {
  const [plan, setPlan] = useState<FetchedPlan | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    setPlan(null);
    setFailure(null);
    fetchPartPlan({ itemId, snapshotId, path, into, signal: abort.signal }).then(
      setPlan,
      (error: unknown) => {
        if (error instanceof ApiError) setFailure(error.message);
      },
    );
    return () => abort.abort();
  }, [itemId, snapshotId, path, into]);
  return { plan, failure };
}
