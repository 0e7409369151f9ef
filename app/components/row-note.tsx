import type { ReactNode } from "react";

/** A sentence under a table row. With `what` it is an error: what happened, what is kept, what to do. */
export function RowNote({
  what,
  children,
  actions,
}: {
  what?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={what ? "row-note row-note-bad" : "row-note"}>
      <p>
        {what && (
          <>
            <b>{what}</b>
            <br />
          </>
        )}
        {children}
      </p>
      {actions}
    </div>
  );
}
