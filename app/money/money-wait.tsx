import type { ApiError } from "#app/api/call-api.ts";
import { Button } from "#app/components/button.tsx";
import { ErrorState } from "#app/components/error-state.tsx";
import { checkoutCopy } from "#app/copy/checkout.ts";

type Read = { error: ApiError | null; refetch: () => Promise<unknown> };

/** Stands in for a page about money: its outline while it loads, or what failed and a way to try again. */
export function MoneyWait({ title, reads }: { title: string; reads: readonly Read[] }) {
  const failed = reads.filter(({ error }) => error !== null);
  const [first] = failed;
  if (!first?.error) return <span className="skeleton money-skeleton" aria-busy="true" />;
  return (
    <ErrorState
      title={title}
      what={first.error.message}
      requestId={first.error.requestId}
      actions={
        <Button onClick={() => void Promise.all(failed.map(({ refetch }) => refetch()))}>
          {checkoutCopy.tryAgain}
        </Button>
      }
    />
  );
}
