import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Progress } from "#connectors/contract/platform-connector.ts";
import { createPktParser } from "./pkt-line.ts";
import { cutOff, type PktStream, rawText, serverError, textOf } from "./pkt-stream.ts";
import { parseRemoteProgress } from "./remote-progress.ts";

/** Why a server refused a ref; `other` = see the reason. */
export type RefusalCause =
  | "hidden-ref"
  | "outside-folders"
  | "unsound-objects"
  | "non-fast-forward"
  | "push-protection"
  | "workflow-permission"
  | "missing-lfs-object"
  | "protected-ref"
  | "file-too-large"
  | "unpack-failed"
  | "not-reported"
  | "other";

/** The result for one ref. */
export type RefResult =
  | { ref: string; isUpdated: true }
  | { ref: string; isUpdated: false; cause: RefusalCause; reason: string };

/** The server's report on a push. */
export type PushReport = {
  /** Null = the pack was accepted; otherwise the server's error message. */
  unpackError: string | null;
  /** One result for each command, in the order of the commands. */
  refs: RefResult[];
  /** The server's messages to the user, without progress; the last 16 KiB. */
  messages: string;
};

const MESSAGES_KEPT = 16 * 1024;
const REASON_LENGTH = 600;

/**
 * Reads `report-status` line by line (git: gitprotocol-pack), inside side-bands if they are used. Appends the
 * server's messages to the reason of a refusal, because `ng` alone often says only "declined".
 *
 * @throws ConnectorError when there is no report
 */
export async function readPushReport(
  pkts: PktStream,
  refs: readonly string[],
  hasSideBand: boolean,
  onProgress?: (progress: Progress) => void,
): Promise<PushReport> {
  const lines: string[] = [];
  const messages = createMessages();
  const inner = createPktParser();
  const remoteProgress = parseRemoteProgress((progress) => onProgress?.(progress));

  function takeInner(bytes: Uint8Array): void {
    inner.push(bytes);
    for (let pkt = inner.next(); pkt !== null; pkt = inner.next()) {
      if (pkt.type === "data") lines.push(textOf(pkt.bytes));
    }
  }

  for (;;) {
    const pkt = await pkts.next();
    if (pkt === null) throw cutOff();
    if (pkt.type === "flush") break;
    if (pkt.type !== "data") throw new ConnectorError("malformed", "The report about the push is broken.");
    if (!hasSideBand) lines.push(textOf(pkt.bytes));
    else if (pkt.bytes[0] === 1) takeInner(pkt.bytes.subarray(1));
    else if (pkt.bytes[0] === 2) {
      const text = rawText(pkt.bytes.subarray(1));
      remoteProgress(text);
      messages.take(text);
    } else if (pkt.bytes[0] === 3) throw serverError(rawText(pkt.bytes.subarray(1)));
    else throw new ConnectorError("malformed", "The git server uses an unknown side-band.");
  }
  if (inner.isMidPkt()) throw cutOff();
  return interpret(lines, refs, messages.text());
}

/** Collects the server's messages without progress lines, which would crowd out the reasons. */
function createMessages(): { take(text: string): void; text(): string } {
  let kept = "";
  let rest = "";
  const keep = (line: string) => {
    if (line.trim() !== "" && !/^[A-Z][A-Za-z ]*: +[0-9]+% \(/.test(line))
      kept = `${kept}${line}\n`.slice(-MESSAGES_KEPT);
  };
  return {
    take(text) {
      const lines = `${rest}${text}`.split(/[\r\n]+/);
      rest = lines.pop()!.slice(-MESSAGES_KEPT);
      lines.forEach(keep);
    },
    text() {
      keep(rest);
      rest = "";
      return kept;
    },
  };
}

function interpret(lines: readonly string[], refs: readonly string[], messages: string): PushReport {
  const unpack = lines.find((line) => line.startsWith("unpack "))?.slice("unpack ".length);
  if (unpack === undefined) {
    throw new ConnectorError("malformed", "The git server did not say whether it took the pack.");
  }
  const said = new Map<string, string | null>();
  for (const line of lines) {
    const match = /^(ok|ng) ([^ ]+)(?: (.*))?$/.exec(line);
    if (match !== null) said.set(match[2]!, match[1] === "ok" ? null : (match[3] ?? "refused"));
  }
  const unpackError = unpack === "ok" ? null : unpack;
  const results = refs.map((ref): RefResult => {
    const reason = said.get(ref);
    if (reason === null && unpackError === null) return { ref, isUpdated: true };
    if (unpackError !== null) {
      const text = explain(`${reason ?? "refused"}: ${unpackError}`, messages, ref);
      const cause = causeOf(text);
      return { ref, isUpdated: false, cause: cause === "other" ? "unpack-failed" : cause, reason: text };
    }
    if (reason === undefined || reason === null) {
      const text = "The git server said nothing about this ref.";
      return { ref, isUpdated: false, cause: "not-reported", reason: text };
    }
    const text = explain(reason, messages, ref);
    return { ref, isUpdated: false, cause: causeOf(text), reason: text };
  });
  return { unpackError, refs: results, messages };
}

/** Appends the server's error lines that mention this ref or no ref. */
function explain(reason: string, messages: string, ref: string): string {
  const errors = messages
    .split(/[\r\n]+/)
    .map((line) => line.replace(/^remote: /, "").trim())
    .filter((line) => /^(error|fatal)\b|GH[0-9]{3}|refusing to allow/i.test(line))
    .filter((line) => !/refs\/[^ ]+/.test(line) || line.includes(ref));
  return [reason, ...new Set(errors)].join(" · ").slice(0, REASON_LENGTH);
}

/** GitHub's codes GH001 (file size), GH006 (protected branch), GH008 (LFS), GH009 and GH013 (secrets, rules). */
function causeOf(text: string): RefusalCause {
  if (/hidden ref/i.test(text)) return "hidden-ref";
  if (/fsck error/i.test(text)) return "unsound-objects";
  if (/funny refname/i.test(text)) return "outside-folders";
  if (/GH008|LFS object/i.test(text)) return "missing-lfs-object";
  if (/refusing to allow .{0,500}workflow|without .?workflows?.? (scope|permission)/i.test(text)) {
    return "workflow-permission";
  }
  if (/GH009|GH013|push protection|push declined due to (repository rule|secret)/i.test(text)) {
    return "push-protection";
  }
  if (/GH001|exceeds .{0,500}file size limit|object too large/i.test(text)) return "file-too-large";
  if (/GH006|protected branch|pre-receive hook declined/i.test(text)) return "protected-ref";
  if (/non-fast-forward|fetch first/i.test(text)) return "non-fast-forward";
  return "other";
}
