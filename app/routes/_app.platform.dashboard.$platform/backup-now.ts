import { countdownText } from "#app/format/duration.ts";

/** What pressing Backup now does: back up, open the upgrade dialog, or nothing and why. */
export type BackupNowState = { kind: "open" } | { kind: "upgrade" } | { kind: "off"; reason: string };

/**
 * Whether Backup now may be pressed (spec P-213, P-232, P-233): members who may not manage are told why, others without
 * the plan get the upgrade dialog, and after use the button counts down to the end of its window.
 */
export function backupNowState(
  facts: {
    canManage: boolean;
    hasProFeatures: boolean;
    /** The server's own word (spec P-310). */
    canUserBackup: boolean;
    isTokenValid: boolean;
    opensAt: number | null;
  },
  now: number,
  words: { role: string; reconnect: string; again: (countdown: string) => string },
): BackupNowState {
  if (!facts.canManage) return { kind: "off", reason: words.role };
  if (!facts.hasProFeatures) return { kind: "upgrade" };
  if (!facts.canUserBackup) return { kind: "off", reason: words.role };
  if (!facts.isTokenValid) return { kind: "off", reason: words.reconnect };
  if (facts.opensAt !== null && facts.opensAt > now) {
    return { kind: "off", reason: words.again(countdownText(facts.opensAt, now)) };
  }
  return { kind: "open" };
}
