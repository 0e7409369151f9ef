/** What our page in a host's frame tells the app's page around it. The app's own copy is beside its manifest. */
export type FrameMessage =
  | { type: "holdfast:ready"; challenge: string; connects?: true }
  | { type: "holdfast:open"; path: string };

/** A one-time code in an answer of the app's page; null for any other message. */
export function codeIn(data: unknown): string | null {
  if (typeof data !== "object" || data === null || !("type" in data) || data.type !== "holdfast:code")
    return null;
  return "code" in data && typeof data.code === "string" ? data.code : null;
}

/** Why the app's page was refused a code; null = it does not say. */
export function reasonIn(data: unknown): string | null {
  if (typeof data !== "object" || data === null || !("reason" in data)) return null;
  return typeof data.reason === "string" ? data.reason : null;
}

/** True when the app's page was refused a code. */
export function isRefusal(data: unknown): boolean {
  return typeof data === "object" && data !== null && "type" in data && data.type === "holdfast:refused";
}
