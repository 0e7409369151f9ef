/** What our site in the frame tells the app's page: it waits for a code (which connects the site, or opens a session), or a path is to be opened in a new tab. */
export type FrameMessage =
  | { type: "holdfast:ready"; challenge: string; connects?: true }
  | { type: "holdfast:open"; path: string };

/** What the app's page answers. */
export type ShellMessage =
  | { type: "holdfast:code"; code: string }
  | { type: "holdfast:refused"; reason?: string };
