import { MailError, type Mailer } from "./mailer.ts";

/** What is used of the platform's `send_email` binding. */
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

/** Sends by the platform's own binding. Its failures carry no kind, so all are tried again. */
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

/** Reads `Name <address>` or a bare address. */
export function parseSender(text: string): { name: string; email: string } {
  const match = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(text);
  return match ? { name: match[1] ?? "", email: match[2]! } : { name: "Holdfast", email: text.trim() };
}
