import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BodyReader } from "./body-reader.ts";
import { createPktParser, type Pkt } from "./pkt-line.ts";

/** Pkt-lines of an answer, in order. */
export type PktStream = {
  /** The next pkt-line that is already here, or null when `next` must wait for the network. */
  buffered(): Pkt | null;
  /** The next pkt-line, or null at a proper end. Views stay valid until the next call. @throws ConnectorError */
  next(): Promise<Pkt | null>;
};

/** A fetch lost its race: a wanted object is gone from the server. List the refs again and start over. */
export class GitRefGoneError extends ConnectorError {
  override name = "GitRefGoneError";
  /** Recognisable without the class, for errors that crossed a boundary. */
  readonly refsMoved = true;

  constructor(message: string) {
    super("unavailable", message);
  }
}

/** Whether an error means: list the refs again, since they moved between the listing and the fetch. */
export function isRefsMoved(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && "refsMoved" in error && error.refsMoved === true;
}

/**
 * Reads pkt-lines from a body. An `ERR` line is an error wherever it stands, although HTTP says 200, and an end
 * inside a line is a cut.
 */
export function createPktStream(reader: BodyReader): PktStream {
  const parser = createPktParser();

  function buffered(): Pkt | null {
    const pkt = parser.next();
    if (pkt?.type === "data" && isErr(pkt.bytes)) throw serverError(textOf(pkt.bytes).slice(4));
    return pkt;
  }

  return {
    buffered,
    async next() {
      for (;;) {
        const pkt = buffered();
        if (pkt !== null) return pkt;
        const chunk = await reader.read();
        if (chunk === null) {
          if (parser.isMidPkt()) throw cutOff();
          return null;
        }
        parser.push(chunk);
      }
    },
  };
}

/** The answer ended before its end. */
export function cutOff(): ConnectorError {
  return new ConnectorError("unavailable", "The git server's answer was cut off.");
}

/** Text of a line without its line feed; bytes that are no UTF-8 become U+FFFD. */
export function textOf(line: Uint8Array): string {
  const end = line.at(-1) === 0x0a ? line.length - 1 : line.length;
  return decoder.decode(line.subarray(0, end));
}

/** Text of bytes as they are, line ends included. */
export function rawText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function isErr(line: Uint8Array): boolean {
  return line[0] === 0x45 && line[1] === 0x52 && line[2] === 0x52 && line[3] === 0x20;
}

/** Gives a server's own error text the kind that decides what happens next. */
export function serverError(text: string): ConnectorError {
  // Git ends some of its last words with a zero byte.
  const words = text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 300);
  const message = `The git server reports: ${words}`;
  if (/not our ref|not a valid object|unadvertised|no such (remote )?ref/i.test(words)) {
    return new GitRefGoneError(message);
  }
  if (/rate limit|too many/i.test(words)) return new ConnectorError("unavailable", message);
  if (/access denied|permission/i.test(words)) return new ConnectorError("forbidden", message);
  if (/repository.{0,500}not (found|exported|exist)|does not exist/i.test(words)) {
    return new ConnectorError("gone", message);
  }
  return new ConnectorError("unavailable", message);
}
