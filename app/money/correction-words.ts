import { paymentsCopy as copy } from "#app/copy/payments.ts";
import type { Invoice } from "./billing-queries.ts";

type Correction = Invoice["corrections"][number];

/** "Refund". */
export const correctionName = (kind: Correction["kind"]): string => copy.corrections[kind].name;

/** How a correction stands, in lower case. */
export function correctionWord(kind: Correction["kind"], status: Correction["status"]): string {
  const { states } = copy.corrections[kind];
  return (states as Partial<Record<Correction["status"], string>>)[status] ?? status;
}

/** Whether the sum is taken off what was paid; one that failed or was decided for us is not. */
export const movesMoney = (status: Correction["status"]): boolean => status !== "failed" && status !== "won";
