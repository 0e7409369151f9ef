import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

const ICONS = { info: Info, run: Info, warn: TriangleAlert, bad: CircleAlert };

/** A note in a page or form. `bad` and `warn` have a coloured edge and are announced to screen readers. */
export function Callout({
  tone = "info",
  children,
  action,
}: {
  tone?: "info" | "run" | "warn" | "bad";
  children: ReactNode;
  action?: ReactNode;
}) {
  const Icon = ICONS[tone];
  return (
    <div
      className={tone === "info" ? "callout" : `callout callout-${tone}`}
      role={tone === "bad" ? "alert" : undefined}
    >
      <Icon aria-hidden />
      <div>{typeof children === "string" ? <p>{children}</p> : children}</div>
      {action && <span className="callout__act">{action}</span>}
    </div>
  );
}
