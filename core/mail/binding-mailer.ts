import { MailError, type Mailer } from "./mailer.ts";

/** The part of Cloudflare's `send_email` binding that is used. */
export type SendEmailBinding = {
  send(message: {
    from: { name: string; email: string };
    to: string;
    subject: string;
    html: string;
    text: string;
    replyTo?: string;
    headers: Record<string, string>;
  }): Promise<unknown>;
};

/** Sends through Cloudflare's `send_email` binding. Its errors have no kind, so all of them are retried. */
export function createBindingMailer({ binding, from }: { binding: SendEmailBinding; from: string }): Mailer {
  const sender = parseSender(from);
  return {
    async send({ key, headers, ...mail }) {
      try {
        await binding.send({ from: sender, ...mail, headers: { ...headers, "X-Entity-Ref-ID": key } });
      } catch (cause) {
        throw new MailError("the mail binding did not accept the e-mail", { isPermanent: false, cause });
      }
    },
  };
}

/** Parses `Name <address>` or a bare address. */
export function parseSender(text: string): { name: string; email: string } {
  const match = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(text);
  return match ? { name: match[1] ?? "", email: match[2]! } : { name: "Holdfast", email: text.trim() };
}
