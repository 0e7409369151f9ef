import { count, TOO_MANY_CREATIONS } from "../rate-limit.ts";
import type { GitlabWorld, User } from "../state.ts";
import type { RestContext } from "./answers.ts";

/** Maximum lengths of texts, in characters. */
export const LONGEST = { title: 255, description: 1_048_576, note: 1_000_000 } as const;

/** Counts a creation; a Response (429) when the user has created too many in this minute. */
export function countCreation(
  c: RestContext,
  world: GitlabWorld,
  user: User,
  kind: "issue" | "note",
): Response | null {
  const limit = kind === "issue" ? world.settings.issueLimit : world.settings.noteLimit;
  const quota = count(world, `${kind} ${user.id}`, limit);
  if (quota.used <= limit) return null;
  c.header("Retry-After", String(Math.max(1, Math.ceil((quota.resetAt - Date.now()) / 1000))));
  return c.json(TOO_MANY_CREATIONS, 429);
}

/** Errors for texts that are too long, by field, in GitLab's words; null = none. */
export function lengthFaults(fields: Record<string, { text: string | null | undefined; most: number }>) {
  const faults = Object.entries(fields)
    .filter(([, { text, most }]) => (text ?? "").length > most)
    .map(([name, { most }]) => [name, [`is too long (maximum is ${most} characters)`]]);
  return faults.length === 0 ? null : Object.fromEntries(faults);
}
