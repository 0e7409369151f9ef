/** The content of an e-mail. All strings are plain text in one line each; the layout escapes them. */
export type MailContent = {
  subject: string;
  /** Preview in the inbox, beside the subject. Defaults to the first paragraph. */
  preview?: string;
  /** Shown in large type at the top. */
  heading: string;
  paragraphs: readonly string[];
  /** A code to type, shown large and separately. */
  code?: string;
  /** Label and value, one line each. */
  facts?: readonly (readonly [label: string, value: string])[];
  /** Titled groups of lines, each with an optional link. */
  lists?: readonly MailList[];
  action?: { label: string; url: string };
  /** Paragraphs after the button: advice, how to undo. */
  after?: readonly string[];
  /** Why the reader gets this e-mail, in one sentence. */
  reason: string;
  /** Address for replies, if not the sender. */
  replyTo?: string;
  /** For regular mail: pages for people, and the one-click address for mail programs (RFC 8058). */
  unsubscribe?: { settingsUrl: string; pageUrl: string; oneClickUrl: string };
};

export type MailList = {
  title: string;
  entries: readonly { text: string; detail?: string; url?: string }[];
};

export type RenderedMail = {
  subject: string;
  html: string;
  text: string;
  replyTo?: string;
  headers?: Readonly<Record<string, string>>;
};
