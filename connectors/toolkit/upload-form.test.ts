import { expect, test } from "vitest";
import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RateLimitReport, Session } from "#connectors/contract/session.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import type { HttpApi } from "./http-client.ts";
import { type FormUpload, uploadForm } from "./upload-form.ts";

const LIMITS: RateLimitReport = { resource: "files", remaining: 0, resetAt: 9, retryAt: null };
const api: HttpApi = {
  platform: "Boards",
  baseUrl: "https://api.boards.example",
  headers: { "user-agent": "holdfast/1" },
  readProblem: ({ status }) =>
    status === 429
      ? { error: new ConnectorError("rate-limited", "Wait.", { status, retryAt: 9 }), limits: LIMITS }
      : null,
};
const order: FormUpload = {
  to: { path: "/files", headers: { "x-check": "no" } },
  token: "t",
  about: "the file a",
  fields: [["name", "a"]],
  file: { name: 'a"\n.txt', mimeType: "text/x\r\nevil: 1", entry: { path: "files/a", sizeBytes: 5 } },
};

/** Sends the file `bytes` to a platform that gives this response. */
async function upload(answer: { status: number; text: string }, bytes: () => AsyncIterable<Uint8Array>) {
  const seen = { url: "", headers: {} as Record<string, string>, body: "", reports: [] as RateLimitReport[] };
  const session = {
    clock: { now: () => 1 },
    report: async (limits: RateLimitReport) => void seen.reports.push(limits),
    fetch: async (url: string, init?: RequestInit) => {
      Object.assign(seen, { url, headers: init?.headers });
      seen.body = await new Response(init?.body).text();
      return new Response(answer.text, { status: answer.status });
    },
  } as unknown as Session;
  const snapshot = { read: bytes } as unknown as SnapshotView;
  const result = await uploadForm({ session, snapshot }, api, order, z.object({ id: z.string() })).catch(
    (error: unknown) => error,
  );
  return { result, seen };
}

async function* five() {
  yield utf8("he");
  yield utf8("llo");
}

test("a file is sent as a form of the announced length, whose names cannot add headers", async () => {
  const { result, seen } = await upload({ status: 201, text: '{"id":"7"}' }, five);
  expect(result).toEqual({ id: "7" });
  expect(seen.url).toBe("https://api.boards.example/files");
  const { "content-type": type = "", "content-length": length, ...headers } = seen.headers;
  expect(headers).toEqual({
    "user-agent": "holdfast/1",
    accept: "application/json",
    authorization: "Bearer t",
    "x-check": "no",
  });
  expect(Number(length)).toBe(utf8(seen.body).length);
  const boundary = type.replace("multipart/form-data; boundary=", "");
  expect(seen.body.split(`--${boundary}`)).toEqual([
    "",
    '\r\ncontent-disposition: form-data; name="name"\r\n\r\na\r\n',
    '\r\ncontent-disposition: form-data; name="file"; filename="a%22%0A.txt"\r\ncontent-type: application/octet-stream\r\n\r\nhello\r\n',
    "--\r\n",
  ]);
});

test("a refused upload reports the limits that the platform names, and an unknown answer is malformed", async () => {
  const refused = await upload({ status: 429, text: "" }, five);
  expect([refused.result, refused.seen.reports]).toEqual([
    expect.objectContaining({ kind: "rate-limited" }),
    [LIMITS],
  ]);
  const odd = await upload({ status: 200, text: "<html>" }, five);
  expect(odd.result).toMatchObject({ kind: "malformed" });
});

test("a file that cannot be read fails with its own error, not with that of the request", async () => {
  const damaged = new Error("The object is damaged");
  const broken = async function* () {
    yield utf8("he");
    throw damaged;
  };
  expect((await upload({ status: 201, text: '{"id":"7"}' }, broken)).result).toBe(damaged);
});
