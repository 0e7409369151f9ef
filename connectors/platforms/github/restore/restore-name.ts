import { descriptor } from "../descriptor.ts";

/** Converts a name as GitHub itself would, so that the result is known in advance. */
export function safeRepositoryName(name: string): string {
  const safe = name
    .trim()
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/(?<!\.git|\.wiki)(\.git|\.wiki)+$/i, "");
  const cut = safe.slice(0, descriptor.limits.restoredNameLength);
  return /^\.*$/.test(cut) ? "restored" : cut;
}
