import type { ApiError } from "./transport.ts";

/** When a used window opens again, in epoch ms; null when the refusal does not say. */
export function opensAtOf({ details }: Pick<ApiError, "details">): number | null {
  if (typeof details !== "object" || details === null || !("opensAt" in details)) return null;
  return typeof details.opensAt === "number" ? details.opensAt : null;
}
