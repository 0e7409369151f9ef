import { countdownText } from "#app/format/duration.ts";

/** The effect of Backup now: back up, open the upgrade dialog, or disabled with a reason. */
export type BackupNowState = { kind: "open" } | { kind: "upgrade" } | { kind: "off"; reason: string };

/**
 * The state of Backup now (spec P-213, P-232, P-233). Members without manage rights see a reason. Without the plan it
 * opens the upgrade dialog. After use it counts down to the end of its window.
 */
export function backupNowState(
  facts: {
    canManage: boolean;
    hasProFeatures: boolean;
    /** Decided by the server (spec P-310). */
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
