import fc from "fast-check";
import { expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { createPktParser, DELIM_PKT, encodePkt, FLUSH_PKT, MAX_PKT_LENGTH } from "./pkt-line.ts";

function parseAll(pieces: Iterable<Uint8Array>): { lines: string[]; isMidPkt: boolean } {
  const parser = createPktParser();
  const lines: string[] = [];
  for (const piece of pieces) {
    parser.push(piece);
    for (let pkt = parser.next(); pkt !== null; pkt = parser.next()) {
      lines.push(pkt.type === "data" ? `=${Buffer.from(pkt.bytes).toString("latin1")}` : pkt.type);
    }
  }
  return { lines, isMidPkt: parser.isMidPkt() };
}

type Exchange = {
  scenario: string;
  request: { body_base64?: string };
  response: { body_base64: string };
};

test.skipIf(contractsAreAbsent())("every body recorded from real git is parsed completely", () => {
  const { exchanges } = readContract("git/smart-http.recorded.json") as { exchanges: Exchange[] };
  expect(new Set(exchanges.map((exchange) => exchange.scenario)).size).toBe(11);
  for (const { request, response } of exchanges) {
    const answer = Buffer.from(response.body_base64, "base64");
    expect(parseAll([answer]).isMidPkt).toBe(false);
    const question = Buffer.from(request.body_base64 ?? "", "base64");
    const end = question.indexOf("0000PACK");
    const lines = end < 0 ? question : question.subarray(0, end + 4);
    expect(parseAll([lines]).isMidPkt).toBe(false);
    // Parsing byte by byte gives the same lines as all at once.
    const bytes = Array.from(answer, (_, at) => answer.subarray(at, at + 1));
    expect(parseAll(bytes)).toEqual(parseAll([answer]));
  }
});

test("lines are unchanged for any split of the stream", () => {
  const line = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => encodePkt(bytes)),
    fc.constantFrom(FLUSH_PKT, DELIM_PKT),
    fc.constant(encodePkt(new Uint8Array(MAX_PKT_LENGTH - 4).fill(7))),
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.array(fc.nat(70_000), { maxLength: 6 }),
      (lines, cuts) => {
        const whole = Buffer.concat(lines);
        const ends = [...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
        const pieces = ends.map((end, i) => whole.subarray(ends[i - 1] ?? 0, end));
        expect(parseAll(pieces)).toEqual({ lines: parseAll([whole]).lines, isMidPkt: false });
        expect(parseAll([whole]).lines).toHaveLength(lines.length);
      },
    ),
  );
});

test("an invalid length is refused, and an end inside a line is detected", () => {
  for (const bad of ["0003", "fff1", "ffff", "zz00", "00 4", "-001"]) {
    expect(() => parseAll([Buffer.from(`${bad}abcdef`)])).toThrow(ConnectorError);
  }
  expect(parseAll([Buffer.from("0009hell")]).isMidPkt).toBe(true);
  expect(parseAll([Buffer.from("00")]).isMidPkt).toBe(true);
  expect(parseAll([Buffer.from("0002")]).lines).toEqual(["response-end"]);
  expect(parseAll([Buffer.from("0004")]).lines).toEqual(["="]);
  expect(() => encodePkt("")).toThrow(RangeError);
  expect(() => encodePkt(new Uint8Array(MAX_PKT_LENGTH))).toThrow(RangeError);
});

test("a length is of hexadecimal digits in either case, and every other byte is refused", () => {
  const line = (length: string) => {
    const parser = createPktParser();
    parser.push(Buffer.from(`${length}${"x".repeat(30)}`, "latin1"));
    const pkt = parser.next();
    return pkt?.type === "data" ? pkt.bytes.length : pkt?.type;
  };
  expect(["000a", "000A", "000f", "000F", "0019", "0010"].map(line)).toEqual([6, 6, 11, 11, 21, 12]);
  for (const byte of ["/", ":", "@", "G", "`", "g", "\x10", "\xc1"]) {
    const refused = expect.objectContaining({ kind: "malformed" });
    expect(() => line(`000${byte}`)).toThrow(refused);
    expect(() => parseAll([Buffer.from("00"), Buffer.from(`0${byte}xxx`, "latin1")])).toThrow(refused);
  }
});

test("the longest line is read and written, one byte more is refused", () => {
  const longest = encodePkt(new Uint8Array(MAX_PKT_LENGTH - 4).fill(7));
  expect(Buffer.from(longest.subarray(0, 4)).toString()).toBe("fff0");
  expect(parseAll([longest]).lines[0]?.length).toBe(MAX_PKT_LENGTH - 3);
  expect(() => encodePkt(new Uint8Array(MAX_PKT_LENGTH - 3))).toThrow(RangeError);
  expect(Buffer.from(encodePkt("a")).toString()).toBe("0005a");
  for (const cut of [1, 3, 4, 5, 65_519])
    expect(parseAll([longest.subarray(0, cut), longest.subarray(cut)]).lines[0]?.length).toBe(
      MAX_PKT_LENGTH - 3,
    );
});

test("special lines may be cut anywhere and stand beside each other", () => {
  const text = "0000000100020005a0000";
  const expected = ["flush", "delim", "response-end", "=a", "flush"];
  for (let cut = 0; cut <= text.length; cut++) {
    const pieces = [text.slice(0, cut), text.slice(cut)].map((piece) => Buffer.from(piece));
    expect(parseAll(pieces)).toEqual({ lines: expected, isMidPkt: false });
  }
  expect(parseAll([...text].map((letter) => Buffer.from(letter))).lines).toEqual(expected);
  expect(parseAll([]).isMidPkt).toBe(false);
});
