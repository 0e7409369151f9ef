import { descriptor } from "./descriptor.ts";

/** What GitHub itself would make of a name, so that it is known before. */
export function safeRepositoryName(name: string): string {
  const safe = name
    .trim()
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/(?<!\.git|\.wiki)(\.git|\.wiki)+$/i, "");
  const cut = safe.slice(0, descriptor.limits.restoredNameLength);
  return /^\.*$/.test(cut) ? "restored" : cut;
}
