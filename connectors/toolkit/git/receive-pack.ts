import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Progress } from "#connectors/contract/platform-connector.ts";
import { openUploadBody } from "#connectors/toolkit/upload-body.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { concatBytes } from "#core/kernel/crypto.ts";
import { emptyPack, isOid, type ObjectFormat, zeroOid } from "./object-format.ts";
import { encodePkt, FLUSH_PKT } from "./pkt-line.ts";
import { createPktStream, cutOff, textOf } from "./pkt-stream.ts";
import { type PushReport, readPushReport } from "./push-report.ts";
import { refNameProblem } from "./refs.ts";
import { askGitServer, GIT_AGENT, type GitRemote } from "./smart-http.ts";

/** A receiver's capabilities and refs. */
export type ReceiverAdvertisement = {
  capabilities: ReadonlyMap<string, string>;
  /** Ref name → object name. */
  refs: ReadonlyMap<string, string>;
  objectFormat: ObjectFormat;
};

/** One ref to update. All zeros in `old` = create, in `new` = delete. */
export type RefCommand = { old: string; new: string; ref: string };

/** A push. */
export type PushOrder = {
  commands: readonly RefCommand[];
  /** One whole pack; each chunk is valid until the next one. Null = the receiver has every object. */
  pack: AsyncIterable<Uint8Array> | null;
  /** Length of the pack in bytes; 0 without one. */
  packLength: number;
  objectFormat: ObjectFormat;
  /** Saves a request if it is already known. */
  advertisement?: ReceiverAdvertisement;
  /** How long the server may process the pack before the first byte of its response. Default: five minutes. */
  answerMs?: number;
  onProgress?: (progress: Progress) => void;
};

/** A server checks the whole pack before it responds. */
const ANSWER_MS = 5 * MINUTE_MS;

/** Reads a receiver's capabilities and refs (git: gitprotocol-pack, versions 0 and 1). @throws ConnectorError */
export async function receiverAdvertisement(remote: GitRemote): Promise<ReceiverAdvertisement> {
  const reader = await askGitServer(remote, { service: "git-receive-pack", version2: false });
  try {
    const pkts = createPktStream(reader);
    const capabilities = new Map<string, string>();
    const refs = new Map<string, string>();
    let isAfterService = false;
    let isFirst = true;
    for (;;) {
      const pkt = await pkts.next();
      if (pkt === null) throw cutOff();
      if (pkt.type === "flush") {
        if (isAfterService || !isFirst) break;
        isAfterService = true;
        continue;
      }
      if (pkt.type !== "data")
        throw new ConnectorError("malformed", "The receiver's list of refs is broken.");
      const line = textOf(pkt.bytes);
      if (line.startsWith("# service=") || line === "version 1" || line.startsWith("shallow ")) continue;
      const [ref = "", features] = line.split("\0");
      if (isFirst) for (const [key, value] of parseFeatures(features ?? "")) capabilities.set(key, value);
      isFirst = false;
      const at = ref.indexOf(" ");
      const name = ref.slice(at + 1);
      if (at > 0 && name !== "capabilities^{}" && name !== ".have") refs.set(name, ref.slice(0, at));
    }
    const objectFormat = capabilities.get("object-format") === "sha256" ? "sha256" : "sha1";
    return { capabilities, refs, objectFormat };
  } finally {
    await reader.cancel();
  }
}

function parseFeatures(text: string): [string, string][] {
  return text
    .split(" ")
    .filter((feature) => feature !== "")
    .map((feature) => {
      const at = feature.indexOf("=");
      return at < 0 ? [feature, ""] : [feature.slice(0, at), feature.slice(at + 1)];
    });
}

/**
 * Pushes one pack and updates refs. Never `atomic`: one refused ref must not block the others. The report has a line
 * for each ref.
 *
 * @throws ConnectorError when the whole push failed or its result is unknown
 */
export async function pushPack(remote: GitRemote, order: PushOrder): Promise<PushReport> {
  const advertisement = order.advertisement ?? (await receiverAdvertisement(remote));
  checkOrder(order, advertisement);
  const commands = encodeCommands(order, advertisement);
  const answerMs = order.answerMs ?? ANSWER_MS;
  const request = { service: "git-receive-pack", version2: false, answerMs } as const;
  if (order.pack === null) {
    const needsPack = order.commands.some((command) => command.new !== zeroOid(order.objectFormat));
    const body = needsPack ? concatBytes(commands, emptyPack(order.objectFormat)) : commands;
    return await readReport(remote, { ...request, body }, order, advertisement);
  }
  let restart: () => void = () => undefined;
  const chunks = bodyChunks(commands, order.pack, order, () => restart());
  const upload = openUploadBody(chunks, commands.length + order.packLength);
  const onDeadline = (again: () => void) => {
    restart = again;
  };
  try {
    return await readReport(remote, { ...request, body: upload.body, onDeadline }, order, advertisement);
  } catch (cause) {
    throw upload.failure() ?? cause; // the error of the byte source is more specific
  }
}

function checkOrder(order: PushOrder, advertisement: ReceiverAdvertisement): void {
  if (advertisement.objectFormat !== order.objectFormat) {
    const message = `The target repository uses ${advertisement.objectFormat}, the backup ${order.objectFormat}.`;
    throw new ConnectorError("unsupported", message);
  }
  if (!advertisement.capabilities.has("report-status")) {
    throw new ConnectorError("unsupported", "The git server does not report what became of a push.");
  }
  for (const command of order.commands) {
    const isSound = isOid(command.old, order.objectFormat) && isOid(command.new, order.objectFormat);
    if (!isSound || refNameProblem(command.ref) !== null) {
      throw new ConnectorError(
        "malformed",
        `'${command.ref}' cannot be pushed: its name or target is no good.`,
      );
    }
  }
}

function encodeCommands(order: PushOrder, { capabilities }: ReceiverAdvertisement): Uint8Array {
  const features = ["report-status"];
  if (capabilities.has("side-band-64k")) features.push("side-band-64k");
  if (capabilities.has("object-format")) features.push(`object-format=${order.objectFormat}`);
  features.push(`agent=${GIT_AGENT}`);
  const lines = order.commands.map(({ old, new: next, ref }, index) =>
    encodePkt(`${old} ${next} ${ref}${index === 0 ? `\0 ${features.join(" ")}` : ""}`),
  );
  return concatBytes(...lines, FLUSH_PKT);
}

async function readReport(
  remote: GitRemote,
  request: Parameters<typeof askGitServer>[1],
  order: PushOrder,
  { capabilities }: ReceiverAdvertisement,
): Promise<PushReport> {
  const reader = await askGitServer(remote, request);
  try {
    const pkts = createPktStream(reader);
    const refs = order.commands.map((command) => command.ref);
    return await readPushReport(pkts, refs, capabilities.has("side-band-64k"), order.onProgress);
  } finally {
    await reader.cancel();
  }
}

async function* bodyChunks(
  commands: Uint8Array,
  pack: AsyncIterable<Uint8Array>,
  { packLength, onProgress }: PushOrder,
  onSent: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield commands;
  let sent = 0;
  for await (const chunk of pack) {
    if (chunk.length === 0) continue;
    sent += chunk.length;
    if (sent > packLength) break;
    yield chunk;
    onSent();
    onProgress?.({ phase: "Sending objects", done: sent, total: packLength, unit: "bytes" });
  }
  if (sent !== packLength) {
    throw new RangeError(`A pack of ${packLength} bytes was announced, but its source gave ${sent} or more`);
  }
}
