/** One e-mail ready for sending. */
export type OutgoingMail = {
  /** The same for every attempt of an e-mail, so that a service with idempotency keys delivers it once. */
  key: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Address for replies, if not the sender. */
  replyTo?: string;
  /** Further header lines, e.g. `List-Unsubscribe`; one line each. */
  headers?: Readonly<Record<string, string>>;
};

/** Hands e-mails to the delivering service. */
export interface Mailer {
  /** Resolves when the service has accepted the e-mail. @throws MailError */
  send(mail: OutgoingMail): Promise<void>;
}

/** Thrown when the delivering service did not accept an e-mail. */
export class MailError extends Error {
  override name = "MailError";
  /** True when a retry would fail the same way, e.g. for an invalid address. */
  readonly isPermanent: boolean;

  constructor(message: string, options: { isPermanent: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.isPermanent = options.isPermanent;
  }
}

/** A mailer for installations that send no e-mail. Every e-mail is marked as failed in the outbox, with a log line. */
export const absentMailer: Mailer = {
  send: async () => {
    throw new MailError("no mail service is configured: set MAIL_URL or bind send_email", {
      isPermanent: true,
    });
  },
};
