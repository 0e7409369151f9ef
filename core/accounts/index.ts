/**
 * Identity: who somebody is and that it is still them. The identity library stays behind this door; the rest of the
 * product knows members (`core/organisations`) and never a password, token or cookie.
 */

export type { AccountsDeps } from "./deps.ts";
export { findMember, type SignedIn } from "./find-member.ts";
export { pruneSessions } from "./prune-sessions.ts";
export { signIn } from "./sign-in.ts";
export { signOut } from "./sign-out.ts";
export { signUp } from "./sign-up.ts";
