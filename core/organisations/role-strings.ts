import { AppError } from "#core/kernel/app-error.ts";

/** A person's rights by platform: `admin` reads and writes, `user` reads. */
export type PlatformRoles = Record<string, "admin" | "user">;

const ROLE = /^organization_([a-z0-9]+(?:-[a-z0-9]+)*)_(user|admin)$/;

/**
 * Parses rights as on the wire: `organization_{platform}_{user|admin}`, at most one per platform.
 * @param isOffered True for platforms for which rights can be granted; appearing in a list is not enough.
 * @throws AppError `err.role.unknown` for any other spelling, platform or role, `err.request.invalid` for two rights on
 *   one platform
 */
export function parseRoles(
  roles: readonly string[],
  isOffered: (platform: string) => boolean,
): PlatformRoles {
  const found = new Map<string, "admin" | "user">();
  for (const text of roles) {
    const match = ROLE.exec(text);
    const platform = match?.[1];
    if (!platform || !isOffered(platform)) throw new AppError("err.role.unknown");
    if (found.has(platform)) {
      throw new AppError("err.request.invalid", { message: "Choose one access right per platform." });
    }
    found.set(platform, match[2] === "admin" ? "admin" : "user");
  }
  return Object.fromEntries(found);
}
