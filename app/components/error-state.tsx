import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { failureCopy } from "#app/copy/shared.ts";

/** An error in place of the content that failed to load: what happened, what is kept, what to do. */
export function ErrorState({
  title = failureCopy.load,
  what,
  kept = failureCopy.kept,
  actions,
  requestId,
}: {
  title?: string;
  /** What happened, in the server's words. */
  what: ReactNode;
  /** What is not lost. */
  kept?: ReactNode;
  actions?: ReactNode;
  requestId?: string | null;
}) {
  return (
    <div className="table-frame">
      <div className="error-state" role="alert">
        <p className="row bad-t medium">
          <CircleAlert aria-hidden />
          {title}
        </p>
        <p style={{ maxWidth: "62ch" }}>
          {what} <b className="medium">{kept}</b>
        </p>
        {actions && <div className="row">{actions}</div>}
        {requestId && (
          <p className="meta">
            {failureCopy.request} <code>{requestId}</code>
          </p>
        )}
      </div>
    </div>
  );
}
