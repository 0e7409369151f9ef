/**
 * What our site in the frame asks of the app's page: a code (which connects the site, or opens a session), whether Jira is light
 * or dark, or to open an address in a new tab.
 */
export type FrameMessage =
  | { type: "holdfast:ready"; challenge: string; connects?: true }
  | { type: "holdfast:ask-mode" }
  | { type: "holdfast:open"; path: string };

/** What the app's page answers. It sends the mode also when it changes. */
export type ShellMessage =
  | { type: "holdfast:code"; code: string }
  | { type: "holdfast:refused"; reason?: string }
  | { type: "holdfast:mode"; mode: "light" | "dark" };
