import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { UnreadableCursorError } from "#core/kernel/stored-json.ts";
import { MAX_ATTEMPTS, MAX_STANDSTILL_MS, RETRY_DELAYS_MS } from "./limits.ts";

/** What becomes of a run whose slice threw. */
export type FailureVerdict =
  /** Try again at `at`; `isWaiting` = the provider asked for it, which is no fault and no attempt. */
  | { kind: "retry"; at: number; isWaiting: boolean; text: string }
  /** The grant is dead: the run fails and the connection asks for its owner. */
  | { kind: "unauthorized"; code: string; text: string }
  /** The item was deleted at the platform: the run fails, its versions stay. */
  | { kind: "gone"; code: string; text: string }
  | { kind: "fail"; code: string; text: string };

/**
 * Decides by the kind of failure alone (design, engine 1). Pure, so that "every run ends" can be proved: the
 * number of attempts and the age of the run bound every path that retries.
 *
 * @param run `attempts`: how many slices of this run have begun since it last made progress, this one included;
 * `since`: when that was, or when the run was made, epoch ms. However long a run takes, only standing still ends it.
 */
export function settleFailure(
  cause: unknown,
  run: { attempts: number; since: number },
  now: number,
): FailureVerdict {
  const isStuck = now - run.since > MAX_STANDSTILL_MS;
  const text = sentenceOf(cause);
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
        };
      case "gone":
        return { kind: "gone", code: "err.not.found", text };
      case "forbidden":
      case "full":
      case "unsupported":
        return { kind: "fail", code: `err.platform.${cause.kind}`, text };
      case "malformed":
      case "unavailable":
        return again(run.attempts, isStuck, now, text, `err.platform.${cause.kind}`);
      default:
        return cause.kind satisfies never;
    }
  }
  // It has begun anew often enough, and would only do so again.
  if (cause instanceof UnreadableCursorError) return { kind: "fail", code: "err.internal", text };
  if (cause instanceof AppError && cause.status < 500) return { kind: "fail", code: cause.code, text };
  return again(run.attempts, isStuck, now, text, "err.internal");
}

/** Whether a passing fault of the platform would end the run: nothing that fails now is tried again. */
export function isLastAttempt(run: { attempts: number; since: number }, now: number): boolean {
  return settleFailure(new ConnectorError("unavailable", ""), run, now).kind === "fail";
}

function again(attempts: number, isStuck: boolean, now: number, text: string, code: string): FailureVerdict {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  if (isStuck || attempts >= MAX_ATTEMPTS || attempts < 1 || delay === undefined)
    return { kind: "fail", code, text };
  return { kind: "retry", at: now + delay, isWaiting: false, text };
}

/** A sentence for people. What we did wrong ourselves is not told in our own words. */
function sentenceOf(cause: unknown): string {
  if (cause instanceof ConnectorError || cause instanceof AppError) return cause.message;
  if (cause instanceof UnreadableCursorError) return "This run could not go on from where it had stopped.";
  if (cause instanceof Error && cause.name === "VaultError") return `The vault refused: ${cause.message}`;
  return "Something went wrong on our side.";
}
