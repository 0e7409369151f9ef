import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { FaultAction } from "./faults.ts";
import { bandLines, createPktSplitter } from "./pkt-line.ts";

/** Faults that damage a response in transit. */
export type StreamFault = Extract<
  FaultAction,
  { kind: "cut" | "stall" | "band3" | "wrong-trailer" | "object-count" | "drip" | "drop" }
>;

/**
 * Replaces `write` and `end` of a response, so that the fault processes everything the platform sends. The platform's
 * code does not notice, as with a real broken connection.
 */
export function damageResponse(response: ServerResponse, fault: StreamFault): void {
  const writeHead = response.writeHead.bind(response) as (
    status: number,
    headers?: OutgoingHttpHeaders,
  ) => ServerResponse;
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  const spoil = spoiler(fault, {
    send: (bytes) => write(bytes),
    finish: () => end(),
    // Let the bytes already written reach the network before the connection closes.
    cut: () => setTimeout(() => response.destroy(), 5),
  });
  const take = (chunk: unknown, encoding: unknown): boolean =>
    spoil.write(typeof chunk === "string" ? Buffer.from(chunk, asEncoding(encoding)) : (chunk as Uint8Array));
  response.once("close", () => spoil.stop?.());
  response.writeHead = ((status: number, headers?: OutgoingHttpHeaders) => {
    const hasLength = Object.keys(headers ?? {}).some((name) => name.toLowerCase() === "content-length");
    // A client that has all declared bytes would reuse the connection, which closes a moment later.
    return writeHead(status, hasLength ? { ...headers, Connection: "close" } : headers);
  }) as typeof response.writeHead;
  response.write = ((chunk: unknown, encoding?: unknown, done?: unknown) => {
    const goesOn = take(chunk, encoding);
    const callback = typeof encoding === "function" ? encoding : done;
    if (typeof callback === "function") callback();
    return goesOn;
  }) as typeof response.write;
  response.end = ((chunk?: unknown, encoding?: unknown) => {
    if (chunk !== undefined && chunk !== null && typeof chunk !== "function") take(chunk, encoding);
    spoil.end();
    return response;
  }) as typeof response.end;
}

type Line = { send(bytes: Uint8Array): boolean; finish(): void; cut(): void };
type Spoiler = { write(bytes: Uint8Array): boolean; end(): void; stop?(): void };

function spoiler(fault: StreamFault, line: Line): Spoiler {
  switch (fault.kind) {
    case "drop":
      return { write: () => true, end: () => line.cut() };
    case "cut":
      return stopAfter(fault.afterBytes, line, () => line.cut());
    case "stall":
      return stopAfter(fault.afterBytes, line, () => undefined);
    case "band3":
      return errorAfter(fault, line);
    case "wrong-trailer":
      return flipTrailer(line);
    case "object-count":
      return miscount(line);
    case "drip":
      return drip(fault.bytes, fault.everyMs, line);
  }
}

function stopAfter(limit: number, line: Line, stop: () => void): Spoiler {
  let left = limit;
  let isStopped = false;
  return {
    write(bytes) {
      if (isStopped) return true;
      if (bytes.length > 0 && left > 0) line.send(bytes.subarray(0, left));
      left -= bytes.length;
      if (left <= 0) {
        isStopped = true;
        stop();
      }
      return true;
    },
    // Damage a response shorter than the limit at its end; otherwise the fault would have no effect.
    end() {
      if (!isStopped) stop();
    },
  };
}

function errorAfter(
  { afterBytes: limit, told, message }: Extract<StreamFault, { kind: "band3" }>,
  line: Line,
): Spoiler {
  const split = createPktSplitter();
  let sent = 0;
  let isOver = false;
  return {
    write(bytes) {
      if (isOver) return true;
      for (const packet of split(bytes)) {
        // Side-bands exist only after the pack section has begun.
        const isBand = packet.length > 5 && packet[4] !== undefined && packet[4] >= 1 && packet[4] <= 3;
        if (isBand && sent >= limit) {
          isOver = true;
          for (const packet of bandLines(2, Buffer.from(told))) line.send(packet);
          for (const packet of bandLines(3, Buffer.from(message))) line.send(packet);
          line.finish();
          return true;
        }
        sent += packet.length;
        line.send(packet);
      }
      return true;
    },
    end() {
      if (!isOver) line.finish();
    },
  };
}

function flipTrailer(line: Line): Spoiler {
  const split = createPktSplitter();
  let held: Buffer[] = [];
  return {
    write(bytes) {
      for (const packet of split(bytes)) {
        if (packet.length > 5 && packet[4] === 1) {
          for (const earlier of held) line.send(earlier);
          held = [Buffer.from(packet)];
        } else if (held.length > 0) held.push(packet);
        else line.send(packet);
      }
      return true;
    },
    end() {
      const last = held[0];
      if (last) last[last.length - 1] = (last[last.length - 1] ?? 0) ^ 0xff;
      for (const packet of held) line.send(packet);
      line.finish();
    },
  };
}

function miscount(line: Line): Spoiler {
  const split = createPktSplitter();
  let isDone = false;
  return {
    write(bytes) {
      for (const packet of split(bytes)) {
        // The header is "PACK", a version and the count; the first packet of band 1 contains all of it.
        if (!isDone && packet[4] === 1 && packet.toString("latin1", 5, 9) === "PACK" && packet.length >= 17) {
          isDone = true;
          packet.writeUInt32BE(packet.readUInt32BE(13) + 1, 13);
        }
        line.send(packet);
      }
      return true;
    },
    end: () => line.finish(),
  };
}

function drip(size: number, everyMs: number, line: Line): Spoiler {
  let waiting = Buffer.alloc(0);
  let isEnded = false;
  const timer = setInterval(() => {
    if (waiting.length > 0) line.send(waiting.subarray(0, size));
    waiting = waiting.subarray(size);
    if (!isEnded || waiting.length > 0) return;
    clearInterval(timer);
    line.finish();
  }, everyMs);
  return {
    write(bytes) {
      waiting = Buffer.concat([waiting, bytes]);
      return true;
    },
    end() {
      isEnded = true;
    },
    stop: () => clearInterval(timer),
  };
}

function asEncoding(encoding: unknown): BufferEncoding {
  return typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8";
}
