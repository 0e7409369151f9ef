import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BodyReader } from "./body-reader.ts";
import { createPktParser, type Pkt } from "./pkt-line.ts";

/** The pkt-lines of a response, in order. */
export type PktStream = {
  /** Returns the next buffered pkt-line; null = `next` must wait for the network. */
  buffered(): Pkt | null;
  /** Returns the next pkt-line; null = the proper end. Views stay valid until the next call. @throws ConnectorError */
  next(): Promise<Pkt | null>;
};

/** A wanted object disappeared from the server during a fetch. List the refs again and start over. */
export class GitRefGoneError extends ConnectorError {
  override name = "GitRefGoneError";
  /** Identifies the error without its class, e.g. after it crossed an RPC boundary. */
  readonly refsMoved = true;

  constructor(message: string) {
    super("unavailable", message);
  }
}

/** Whether the refs moved between the listing and the fetch, so that they must be listed again. */
export function isRefsMoved(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && "refsMoved" in error && error.refsMoved === true;
}

/**
 * Reads pkt-lines from a body. Throws for an `ERR` line at any position (HTTP status is 200) and an end inside a
 * line.
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

/** The response was truncated. */
export function cutOff(): ConnectorError {
  return new ConnectorError("unavailable", "The git server's answer was cut off.");
}

/** Text of a line without its line feed; invalid UTF-8 becomes U+FFFD. */
export function textOf(line: Uint8Array): string {
  const end = line.at(-1) === 0x0a ? line.length - 1 : line.length;
  return decoder.decode(line.subarray(0, end));
}

/** Text of bytes, including line ends. */
export function rawText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function isErr(line: Uint8Array): boolean {
  return line[0] === 0x45 && line[1] === 0x52 && line[2] === 0x52 && line[3] === 0x20;
}

/** What git says when its own copy lacks objects or cannot read them (git: object-file.c, packfile.c, pack-objects.c). */
const DAMAGE =
  /corrupt|unable to (read|unpack|find|parse)|could not read|missing (blob|tree|commit|object)|bad (object|tree object)|inflate|does not match|failed to (read|traverse|load)|is empty/i;

/**
 * Turns a server's error text into a ConnectorError of the right kind.
 *
 * @param fault What git said before it stopped, which names the cause; null = nothing. A damaged repository stays
 *   damaged, so fetching it again is of no use.
 */
export function serverError(text: string, fault: string | null = null): ConnectorError {
  const words = oneLine(text);
  if (fault !== null) {
    const reason = `The git server reports: ${oneLine(fault)}`;
    if (!DAMAGE.test(fault)) return serverErrorOf(`${words} ${fault}`, reason);
    return new ConnectorError("unsupported", `${reason}. Its copy of the repository is damaged.`);
  }
  return serverErrorOf(words, `The git server reports: ${words}`);
}

function oneLine(text: string): string {
  // Git ends some error messages with a zero byte.
  return text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 300);
}

function serverErrorOf(words: string, message: string): ConnectorError {
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
