import { z } from "zod";
import { DAY_MS } from "#core/kernel/clock.ts";
import { openLink, type SealedLink, sealLink } from "#core/links/index.ts";
import type { AccountsDeps } from "./deps.ts";

/** A confirmation link is valid this long, unless its sign-up expires sooner. */
const VERIFICATION_MS = DAY_MS;

const PURPOSE = "verify-email";
const payloadSchema = z.object({
  /** The sign-up's id, which becomes the person's. */
  userId: z.string(),
  isForgotten: z.boolean().default(false),
});

/** The content of a confirmation link. */
type Verification = {
  id: string;
  /** The link answers a forgotten-password request, so its holder must choose a new password. */
  isForgotten: boolean;
};

/** The URL that confirms a sign-up. It contains only the id, which a later sign-up replaces; the link is then void. */
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

/** Opens a confirmation link. @throws AppError `err.link.purpose` when the link is malformed or expired */
export async function openVerification(
  deps: Pick<AccountsDeps, "clock" | "settings">,
  link: SealedLink,
): Promise<Verification> {
  const { payload } = await openLink(deps, { purpose: PURPOSE, schema: payloadSchema, link });
  return { id: payload.userId, isForgotten: payload.isForgotten };
}
