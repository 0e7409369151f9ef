import { Check, CircleX, Clock } from "lucide-react";
import { companyCopy as copy } from "#app/copy/settings.ts";
import type { TaxStatus as Status } from "./company-details.ts";

const MARKS = {
  pending: <Clock className="soft" aria-hidden />,
  verified: <Check className="ok-t" aria-hidden />,
  unverified: <CircleX className="bad-t" aria-hidden />,
} as const;

/** What the register says of a tax ID, in a word. Nothing where there is no register to ask. */
export function TaxStatus({ status }: { status: Status }) {
  if (status === "unavailable") return null;
  return (
    <span className="status-badge">
      {MARKS[status]}
      {copy.taxStatus[status]}
    </span>
  );
}
