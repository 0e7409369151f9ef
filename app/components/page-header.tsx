import type { ReactNode } from "react";

/** Folio line, title and actions of a page. On phones the actions are in the sticky bar instead. */
export function PageHeader({
  folio,
  title,
  mark,
  actions,
  keepActions,
}: {
  folio?: readonly ReactNode[];
  title: ReactNode;
  mark?: ReactNode;
  actions?: ReactNode;
  /** Keep the actions here on phones. */
  keepActions?: boolean;
}) {
  return (
    <div className="page-header">
      <div>
        {folio && folio.length > 0 && (
          <p className="page-header__folio">
            {folio.map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: -- the parts have no other identity
              <span key={index}>{part}</span>
            ))}
          </p>
        )}
        <h1>
          {mark}
          {title}
        </h1>
      </div>
      {actions && (
        <div className={keepActions ? "page-header__actions keep-s" : "page-header__actions"}>{actions}</div>
      )}
    </div>
  );
}
