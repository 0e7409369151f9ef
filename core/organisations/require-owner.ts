import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "./member.ts";

/**
 * Only the owner may manage people, names and billing (spec part 1 section 6).
 * @throws AppError `err.role.forbidden` for every other member
 */
export function requireOwner(member: Pick<Member, "role">): void {
  if (member.role !== "owner") throw new AppError("err.role.forbidden");
}
