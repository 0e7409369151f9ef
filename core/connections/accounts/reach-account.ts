import type { AccountAnswer, Session } from "#connectors/contract/platform-connector.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Uses } from "#core/services.ts";
import { connectorOf } from "../open-session.ts";
import { translateFailure } from "../translate-failure.ts";

/** Minimum length of an account name (spec P-267, P-270). */
const SHORTEST_NAME = 2;

/**
 * Normalises a typed account name: required, at least two characters. A login loses its spaces (spec P-268), a title
 * only those around it. @throws AppError `err.request.invalid`
 */
export function checkedAccountName(s: Uses<"connectors">, platform: string, typed: string): string {
  const hasTitles = connectorOf(s, platform).descriptor.accountNames === "titles";
  const name = hasTitles ? typed.trim() : typed.replace(/\s+/g, "");
  if (name.length < SHORTEST_NAME) {
    const message = name === "" ? "Enter the name of the account." : "The name has at least 2 characters.";
    throw new AppError("err.request.invalid", { message });
  }
  return name;
}

/** Compares account names, ignoring case. */
export const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/**
 * Finds an account that the grant can reach. @throws AppError `err.connection.other` when the platform has no such call
 */
export async function reachAccount(
  s: Uses<"connectors">,
  { platform, session, name }: { platform: string; session: Session; name: string },
): Promise<AccountAnswer> {
  const connector = connectorOf(s, platform);
  if (!connector.findAccount) throw new AppError("err.connection.other");
  return connector.findAccount(session, name).catch((cause: unknown) => {
    throw translateFailure(cause);
  });
}

/** Details of an error about a missing app: the URL where it is installed (spec P-418, P-421). */
export function installDetails(
  s: Uses<"connectors" | "connectorConfig">,
  platform: string,
): { installUrl: string | null } {
  return { installUrl: connectorOf(s, platform).authoriser.installUrl?.(s.connectorConfig) ?? null };
}

/** The error for connecting an account twice. */
export const alreadyConnected = (name: string) =>
  new AppError("err.connection.exists", { message: `${name} is connected already. Nothing was changed.` });
