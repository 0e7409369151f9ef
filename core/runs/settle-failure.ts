import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { UnreadableCursorError } from "#core/kernel/stored-json.ts";
import { MAX_ATTEMPTS, MAX_STANDSTILL_MS, RETRY_DELAYS_MS } from "./limits.ts";

/** The outcome for a run whose slice threw. */
export type FailureVerdict =
  /** Try again at `at`. `isWaiting` = the provider asked to wait, which is neither a fault nor an attempt. */
  | { kind: "retry"; at: number; isWaiting: boolean; text: string }
  /** The grant is invalid: the run fails and the owner must reconnect. */
  | { kind: "unauthorized"; code: string; text: string; authMethod: string | null }
  /** The item was deleted at the platform: the run fails, its versions are kept. */
  | { kind: "gone"; code: string; text: string }
  | { kind: "fail"; code: string; text: string };

/**
 * Decides by the kind of failure alone (design, engine 1). Pure, so tests can prove that every run ends: the number of
 * attempts and the age of the run bound every retry.
 *
 * @param run `attempts`: number of slices started since the last progress, including this one. `since`: time of that
 *   progress, or of the run's creation, epoch ms. A run may take any time; only standing still ends it.
 */
export function settleFailure(
  cause: unknown,
  run: { attempts: number; since: number },
  now: number,
): FailureVerdict {
  const isStuck = now - run.since > MAX_STANDSTILL_MS;
  const text = sentenceOf(cause);
  const again = (code: string, notBefore = 0): FailureVerdict => {
    const delay = RETRY_DELAYS_MS[run.attempts - 1];
    if (isStuck || run.attempts >= MAX_ATTEMPTS || delay === undefined) return { kind: "fail", code, text };
    return { kind: "retry", at: Math.max(now + delay, notBefore), isWaiting: false, text };
  };
  if (cause instanceof ConnectorError) {
    switch (cause.kind) {
      case "rate-limited": {
        const at = Math.max(cause.retryAt ?? 0, now + 1_000);
        if (isStuck || at - run.since > MAX_STANDSTILL_MS)
          return { kind: "fail", code: "err.platform.limited", text };
        return { kind: "retry", at, isWaiting: true, text };
      }
      case "unauthorized":
        return {
          kind: "unauthorized",
          code: cause.isAppMissing ? "err.app.missing" : "err.connection.unauthorized",
          text,
          authMethod: cause.authMethod,
        };
      case "gone":
        return { kind: "gone", code: "err.not.found", text };
      case "forbidden":
      case "full":
      case "unsupported":
        return { kind: "fail", code: `err.platform.${cause.kind}`, text };
      case "malformed":
      case "unavailable":
        return again(`err.platform.${cause.kind}`, cause.retryAt ?? 0);
      default:
        return cause.kind satisfies never;
    }
  }
  // It has restarted the maximum number of times; another restart would not help.
  if (cause instanceof UnreadableCursorError) return { kind: "fail", code: "err.internal", text };
  if (cause instanceof AppError && cause.status < 500) return { kind: "fail", code: cause.code, text };
  return again("err.internal");
}

/** True when a transient fault of the platform would fail the run. */
export function isLastAttempt(run: { attempts: number; since: number }, now: number): boolean {
  return settleFailure(new ConnectorError("unavailable", ""), run, now).kind === "fail";
}

/** Returns a sentence for people. Hides the wording of internal errors. */
function sentenceOf(cause: unknown): string {
  if (cause instanceof ConnectorError || cause instanceof AppError) return cause.message;
  if (cause instanceof UnreadableCursorError) return "This run could not continue from where it stopped.";
  if (cause instanceof Error && cause.name === "VaultError") return `The vault refused: ${cause.message}`;
  return "Something went wrong on our side.";
}
