import { withinTime } from "#core/kernel/within-time.ts";
import { MailError, type Mailer } from "./mailer.ts";

/** How long the service may take before the attempt fails. */
const TIMEOUT_MS = 15_000;

/**
 * Posts e-mails to a service: `POST {url}/send` with `{from, to, subject, html, text, key, replyTo?, headers?}`,
 * answered with any 2xx. A 4xx response is permanent, except 408 and 429.
 */
export function createHttpMailer({
  url,
  token,
  from,
  fetch,
}: {
  url: string;
  token: string | undefined;
  from: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}): Mailer {
  return {
    async send(mail) {
      const response = await withinTime(TIMEOUT_MS, (signal) =>
        fetch(`${url}/send`, {
          method: "POST",
          headers: {
            "Content-Type": "application/json",
            ...(token ? { Authorization: `Bearer ${token}` } : {}),
          },
          body: JSON.stringify({ from, ...mail }),
          redirect: "manual",
          signal,
        }),
      ).catch((cause: unknown) => {
        throw new MailError("the mail service cannot be reached", { isPermanent: false, cause });
      });
      await response.body?.cancel();
      if (response.ok) return;
      const isPermanent =
        response.status >= 400 && response.status < 500 && ![401, 403, 408, 429].includes(response.status);
      throw new MailError(`the mail service answered ${response.status}`, { isPermanent });
    },
  };
}
