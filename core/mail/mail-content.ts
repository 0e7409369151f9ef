/** What every e-mail of ours consists of. All texts are plain and one line each; the layout escapes them. */
export type MailContent = {
  subject: string;
  /** What the inbox shows beside the subject; the first paragraph when absent. */
  preview?: string;
  /** Shown large at the top. */
  heading: string;
  paragraphs: readonly string[];
  /** A code to be typed, shown large and apart. */
  code?: string;
  /** Label and value, one line each. */
  facts?: readonly (readonly [label: string, value: string])[];
  /** Titled groups of lines, each line with a link where there is one. */
  lists?: readonly MailList[];
  action?: { label: string; url: string };
  /** What follows the button: advice, how to undo. */
  after?: readonly string[];
  /** Why this e-mail came, in one sentence. */
  reason: string;
  /** Where answers go instead of to the sender. */
  replyTo?: string;
  /** For mail that comes regularly: pages for people, an address for the one click of a mail program (RFC 8058). */
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
