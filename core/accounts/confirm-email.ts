import { z } from "zod";
import { AppError } from "#core/kernel/app-error.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { openLink, type SealedLink, sealLink, useLink as spendLink } from "#core/links/index.ts";
import { queueMail } from "#core/mail/index.ts";
import type { AccountsDeps } from "./deps.ts";
import { verifyEmailOf } from "./people.store.ts";

const PURPOSE = "verify-email";
const payload = z.object({ userId: z.string(), email: z.string() });

/** A link in a confirmation e-mail works this long. */
export const VERIFICATION_MS = DAY_MS;

/** Writes the e-mail with the link that confirms the address. The same occasion again sends nothing. */
export async function sendVerification(
  deps: AccountsDeps,
  { userId, email, occasion }: { userId: string; email: string; occasion: string },
): Promise<void> {
  const { content, iv } = await sealLink(deps, {
    purpose: PURPOSE,
    payload: { userId, email },
    expiresAt: deps.clock.now() + VERIFICATION_MS,
  });
  const url = `${deps.settings.PUBLIC_URL}/verify-email?${new URLSearchParams({ content, iv })}`;
  const { statement, job } = await queueMail(deps, {
    occasion,
    organisationId: null,
    recipient: email,
    message: "verify-email",
    data: { url },
  });
  await statement;
  await deps.queue.send([job]);
}

/**
 * Confirms the address that a link was sent to. A link works once; the one of a person who is confirmed already by
 * another link changes nothing.
 * @throws AppError `err.link.purpose` for anything that is no such link or too old, `err.link.used`
 */
export async function confirmEmail(
  deps: Pick<AccountsDeps, "control" | "clock" | "settings">,
  link: SealedLink,
): Promise<void> {
  const opened = await openLink(deps, { purpose: PURPOSE, schema: payload, link });
  const { linkHash, expiresAt } = opened;
  if (!(await spendLink(deps, { purpose: PURPOSE, linkHash, expiresAt })))
    throw new AppError("err.link.used");
  const isTheirs = await verifyEmailOf(deps.control, { ...opened.payload, now: deps.clock.now() });
  if (!isTheirs) throw new AppError("err.link.purpose");
}
