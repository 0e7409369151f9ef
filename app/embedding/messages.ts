/** What our page in a host's frame asks of the app's page around it. The app's own copy is beside its manifest. */
export type FrameMessage =
  | { type: "holdfast:ready"; challenge: string; connects?: true }
  | { type: "holdfast:ask-mode" }
  | { type: "holdfast:open"; path: string };

/** Whether the host shows its pages light or dark. */
export type HostMode = "light" | "dark";

/** A one-time code in an answer of the app's page; null for any other message. */
export function codeIn(data: unknown): string | null {
  const message = messageIn(data, "holdfast:code");
  return typeof message?.code === "string" ? message.code : null;
}

/** Why the app's page was refused a code; null = it does not say. */
export function reasonIn(data: unknown): string | null {
  const reason = messageIn(data, "holdfast:refused")?.reason;
  return typeof reason === "string" ? reason : null;
}

/** True when the app's page was refused a code. */
export function isRefusal(data: unknown): boolean {
  return messageIn(data, "holdfast:refused") !== null;
}

/** How the host shows its pages, in a message of the app's page; null for any other message. */
export function modeIn(data: unknown): HostMode | null {
  const mode = messageIn(data, "holdfast:mode")?.mode;
  return mode === "light" || mode === "dark" ? mode : null;
}

function messageIn(data: unknown, type: string): Record<string, unknown> | null {
  if (typeof data !== "object" || data === null || !("type" in data)) return null;
  return data.type === type ? { ...data } : null;
}
