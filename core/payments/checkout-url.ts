import type { CoreSettings } from "#core/services.ts";

/** The checkout's URL for e-mails; null where a marketplace sells. */
export const checkoutUrlOf = ({
  PUBLIC_URL,
  RESTRICTED_MODE,
}: Pick<CoreSettings, "PUBLIC_URL" | "RESTRICTED_MODE">): string | null =>
  RESTRICTED_MODE === "on" ? null : `${PUBLIC_URL}/checkout`;
