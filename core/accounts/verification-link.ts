import { z } from "zod";
import { DAY_MS } from "#core/kernel/clock.ts";
import { openLink, type SealedLink, sealLink } from "#core/links/index.ts";
import type { AccountsDeps } from "./deps.ts";

/** A link in a confirmation e-mail works this long, unless its sign-up is over sooner. */
const VERIFICATION_MS = DAY_MS;

const PURPOSE = "verify-email";
const payloadSchema = z.object({
  /** The sign-up's id, which is the person's later. */
  userId: z.string(),
  isForgotten: z.boolean().default(false),
});

/** What a confirmation link stands for. */
type Verification = {
  id: string;
  /** Whoever opens it has forgotten the password of the sign-up. */
  isForgotten: boolean;
};

/** The address that confirms a sign-up. It holds the id alone: a later sign-up has another, so the link is void then. */
export async function sealVerification(
  deps: Pick<AccountsDeps, "clock" | "settings">,
  { id, isForgotten, expiresAt }: Verification & { expiresAt: number },
): Promise<string> {
  const { content, iv } = await sealLink(deps, {
    purpose: PURPOSE,
    payload: { userId: id, isForgotten },
    expiresAt: Math.min(expiresAt, deps.clock.now() + VERIFICATION_MS),
  });
  return `${deps.settings.PUBLIC_URL}/verify-email?${new URLSearchParams({ content, iv })}`;
}

/** What a confirmation link says. @throws AppError `err.link.purpose` for anything that is no such link or too old */
export async function openVerification(
  deps: Pick<AccountsDeps, "clock" | "settings">,
  link: SealedLink,
): Promise<Verification> {
  const { payload } = await openLink(deps, { purpose: PURPOSE, schema: payloadSchema, link });
  return { id: payload.userId, isForgotten: payload.isForgotten };
}
