/** One e-mail ready to go. */
export type OutgoingMail = {
  /** Equal for every attempt of the same e-mail, so that a service that knows keys delivers it once. */
  key: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Where answers go, when not to the sender. */
  replyTo?: string;
  /** Further header lines, e.g. `List-Unsubscribe`; one line each. */
  headers?: Readonly<Record<string, string>>;
};

/** Hands e-mails to whoever delivers them. */
export interface Mailer {
  /** Resolves when the e-mail was accepted. @throws MailError */
  send(mail: OutgoingMail): Promise<void>;
}

/** The delivering service did not accept an e-mail. */
export class MailError extends Error {
  override name = "MailError";
  /** True when trying again can only fail the same way, e.g. for an address that cannot be. */
  readonly isPermanent: boolean;

  constructor(message: string, options: { isPermanent: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.isPermanent = options.isPermanent;
  }
}

/** A mailer for installations that send no e-mail: every e-mail stays in the outbox as failed, with a log line. */
export const absentMailer: Mailer = {
  send: async () => {
    throw new MailError("no mail service is configured: set MAIL_URL or bind send_email", {
      isPermanent: true,
    });
  },
};
