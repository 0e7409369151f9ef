import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { ConnectorError, type ConnectorErrorKind } from "#connectors/contract/connector-error.ts";
import type { RateLimitReport } from "#connectors/contract/platform-connector.ts";
import { createHttpClient, type HttpCall, type HttpClientDeps } from "./http-client.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const api = {
  platform: "Acme",
  baseUrl: "https://api.acme.test/v1",
  headers: { "user-agent": "holdfast/1" },
};
const call: HttpCall = { method: "GET", path: "/things/1", about: "the thing" };
const thing = z.object({ id: z.number() });
const JSON_TYPE = { "content-type": "application/json" };

type Sent = { url: string; method: string; authorization: string | null };

/** A client that receives the responses in turn; the last one repeats. */
function clientWith(answers: (() => Response | Promise<Response>)[], more: Partial<HttpClientDeps> = {}) {
  const sent: Sent[] = [];
  const slept: number[] = [];
  const reports: RateLimitReport[] = [];
  let spent = 0;
  const client = createHttpClient(
    {
      fetch: async (url, init) => {
        const headers = new Headers(init?.headers);
        sent.push({ url, method: init?.method ?? "GET", authorization: headers.get("authorization") });
        const answer = answers[Math.min(sent.length, answers.length) - 1];
        if (answer === undefined) throw new Error("no answer was planned");
        return await answer();
      },
      clock: { now: () => NOW },
      sleep: async (ms) => void slept.push(ms),
      spend: async (points) => {
        spent += points;
      },
      report: async (limits) => void reports.push(limits),
      random: () => 0.5,
      ...more,
    },
    api,
  );
  return { client, sent, slept, reports, spent: () => spent };
}

const json =
  (body: unknown, headers: Record<string, string> = {}, status = 200) =>
  () =>
    new Response(JSON.stringify(body), { status, headers: { ...JSON_TYPE, ...headers } });

async function failureOf(promise: Promise<unknown>): Promise<ConnectorError> {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(ConnectorError);
  return error as ConnectorError;
}

async function collect<T>(members: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const member of members) all.push(member);
  return all;
}

const SECONDARY = { message: "You have exceeded a secondary rate limit." };
test.each<[string, number, object, Record<string, string>, number]>([
  ["429 with seconds", 429, {}, { "retry-after": "30" }, 30],
  ["429 with a date", 429, {}, { "retry-after": "Sat, 21 Nov 2026 12:02:00 GMT" }, 120],
  ["429 with nothing", 429, {}, {}, 60],
  ["429 with zero", 429, {}, { "retry-after": "0" }, 1],
  ["429 with ten years", 429, {}, { "retry-after": "315360000" }, 3600],
  ["429 with nonsense", 429, {}, { "retry-after": "-5" }, 60],
  [
    "403 with a spent quota",
    403,
    {},
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW / 1000 + 90) },
    90,
  ],
  ["403 secondary without headers", 403, SECONDARY, {}, 60],
  [
    "403 secondary with quota left",
    403,
    SECONDARY,
    { "x-ratelimit-remaining": "4000", "retry-after": "45" },
    45,
  ],
])(
  "a rate limit in the format of %s names the time to retry",
  async (_shape, status, body, headers, seconds) => {
    const { client, sent, reports } = clientWith([json(body, headers, status)]);
    const error = await failureOf(client.request(call, thing));
    expect(error.kind).toBe("rate-limited");
    expect(error.retryAt).toBe(NOW + seconds * 1000);
    expect(sent).toHaveLength(1);
    expect(reports.at(-1)?.retryAt).toBe(error.retryAt);
  },
);

test.each<[number, Partial<HttpCall>, ConnectorErrorKind]>([
  [401, {}, "unauthorized"],
  [403, {}, "forbidden"],
  [404, {}, "gone"],
  [404, { missing: "forbidden" }, "forbidden"],
  [410, {}, "gone"],
  [451, {}, "gone"],
  [422, {}, "unsupported"],
  [500, {}, "unavailable"],
  [502, {}, "unavailable"],
  [503, {}, "unavailable"],
  [522, {}, "unavailable"],
])("a %i (%o) becomes %s with the platform's own sentence", async (status, more, kind) => {
  const { client } = clientWith([json({ message: "Because I say so." }, {}, status)]);
  const error = await failureOf(client.request({ ...call, ...more }, thing));
  expect(error.kind).toBe(kind);
  expect(error.status).toBe(status);
  expect(error.message).toContain("Because I say so.");
});

test.each<[string, () => Response, ConnectorErrorKind]>([
  [
    "a web page",
    () => new Response("<h1>Unicorn!</h1>", { headers: { "content-type": "text/html" } }),
    "unavailable",
  ],
  ["nothing", () => new Response("", { headers: JSON_TYPE }), "unavailable"],
  ["half of its JSON", () => new Response('{"id": 1', { headers: JSON_TYPE }), "unavailable"],
  [
    "another content type",
    () => new Response("id,1", { headers: { "content-type": "text/csv" } }),
    "malformed",
  ],
  ["another form", () => new Response('{"id":"x"}', { headers: JSON_TYPE }), "malformed"],
])("a 200 with %s is not data", async (_what, answer, kind) => {
  const { client } = clientWith([answer]);
  expect((await failureOf(client.request(call, thing))).kind).toBe(kind);
});

test("temporary faults are retried with growing, jittered delays up to a limit", async () => {
  const { client, sent, slept } = clientWith([json({}, {}, 503)]);
  await failureOf(client.request(call, thing));
  expect(sent).toHaveLength(4);
  expect(slept).toEqual([500, 1000, 2000]);
});

test("a fault that passes leaves no trace", async () => {
  const broken = () => Promise.reject(new TypeError("connection reset"));
  const { client, spent } = clientWith([broken, json({}, {}, 502), json({ id: 7 })]);
  expect(await client.request(call, thing)).toEqual({ id: 7 });
  expect(spent()).toBe(3);
});

test("a request that creates something is never retried automatically", async () => {
  const { client, sent } = clientWith([json({}, {}, 503)]);
  await failureOf(client.request({ ...call, method: "POST", body: {} }, thing));
  expect(sent).toHaveLength(1);
});

test("a platform that is out may ask us to wait: nothing is sent meanwhile, and what became of the call stays open", async () => {
  const wait = new ConnectorError("rate-limited", "wait", { retryAt: NOW + 90_000 });
  let until = 0;
  const { client, sent } = clientWith([json({}, { "retry-after": "90" }, 503)], {
    report: async ({ retryAt }) => {
      until = retryAt ?? until;
    },
    spend: async () => {
      if (NOW < until) throw wait;
    },
  });
  const created = await failureOf(client.request({ ...call, method: "POST", body: {} }, thing));
  expect(created).toMatchObject({ kind: "unavailable", retryAt: NOW + 90_000 });
  expect(until).toBe(NOW + 90_000);
  expect(await failureOf(client.request(call, thing))).toBe(wait);
  expect(sent).toHaveLength(1);
});

test("a truncated body is a temporary fault", async () => {
  const broken = () => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{"id":'));
        controller.error(new Error("reset"));
      },
    });
    return new Response(body, { headers: JSON_TYPE });
  };
  const { client } = clientWith([broken, json({ id: 3 })]);
  expect(await client.request(call, thing)).toEqual({ id: 3 });
});

test("no first byte, a stalled body and an endless slow body are temporary faults", async () => {
  for (const begin of [
    "",
    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{",
  ]) {
    for (const dripMs of [null, 20]) {
      let asked = 0;
      const server = createServer((socket) => {
        const timer = dripMs === null ? null : setInterval(() => begin !== "" && socket.write(" "), dripMs);
        socket.on("error", () => undefined).on("close", () => timer && clearInterval(timer));
        socket.once("data", () => {
          asked += 1;
          socket.write(begin);
        });
      });
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const deps = {
        fetch: (url: string, init?: RequestInit) => fetch(url, init),
        sleep: async () => undefined,
      };
      const client = createHttpClient(
        { ...deps, clock: { now: () => NOW }, answerMs: 80 },
        { ...api, baseUrl: `http://127.0.0.1:${port}` },
      );
      const failure = await failureOf(client.request(call, thing));
      expect([begin, dripMs, failure.kind]).toEqual([begin, dripMs, "unavailable"]);
      expect(asked).toBeLessThanOrEqual(4);
      expect(asked).toBeGreaterThan(1);
    }
  }
});

test("a refused token is refreshed once; a second refusal fails", async () => {
  const asked: (string | undefined)[] = [];
  const accessToken = async (refused?: string) => {
    asked.push(refused);
    return refused === undefined ? "old" : "new";
  };
  const good = clientWith([json({}, {}, 401), json({ id: 1 })], { accessToken });
  expect(await good.client.request(call, thing)).toEqual({ id: 1 });
  expect(good.sent.map((one) => one.authorization)).toEqual(["Bearer old", "Bearer new"]);
  expect(asked).toEqual([undefined, "old"]);
  const bad = clientWith([json({}, {}, 401)], { accessToken });
  expect((await failureOf(bad.client.request(call, thing))).kind).toBe("unauthorized");
  expect(bad.sent).toHaveLength(2);
  // A platform that rejects every refreshed token must not cause endless refreshes.
  let renewals = 0;
  const another = async () => {
    if (renewals++ > 5) throw new Error("there is no end of renewals");
    return `token-${renewals}`;
  };
  const never = clientWith([json({}, {}, 401)], { accessToken: another });
  expect((await failureOf(never.client.request(call, thing))).kind).toBe("unauthorized");
  expect(never.sent).toHaveLength(2);
});

test.each([301, 302, 307, 308])("a %i to the same host is followed with credentials", async (status) => {
  const moved = () => new Response(null, { status, headers: { location: "/v1/things/by-id/1" } });
  const { client, sent } = clientWith([moved, json({ id: 1 })], { accessToken: async () => "t" });
  expect(await client.request(call, thing)).toEqual({ id: 1 });
  expect(sent[1]).toMatchObject({
    url: "https://api.acme.test/v1/things/by-id/1",
    authorization: "Bearer t",
  });
});

test("no request goes to another host, by redirect or by link", async () => {
  const moved = () => new Response(null, { status: 302, headers: { location: "https://evil.test/things" } });
  const redirected = clientWith([moved], { accessToken: async () => "t" });
  expect((await failureOf(redirected.client.request(call, thing))).kind).toBe("malformed");
  expect(redirected.sent).toHaveLength(1);
  const linked = clientWith([json([{ id: 1 }], { link: '<https://evil.test/things?page=2>; rel="next"' })]);
  const list = collect(linked.client.members(call, z.array(thing), (one) => String(one.id)));
  expect((await failureOf(list)).kind).toBe("malformed");
  expect(linked.sent.every((one) => one.url.startsWith("https://api.acme.test/"))).toBe(true);
});

test("redirect loops end", async () => {
  const moved = () => new Response(null, { status: 301, headers: { location: "/v1/things/1" } });
  const { client, sent } = clientWith([moved]);
  expect((await failureOf(client.request(call, thing))).kind).toBe("malformed");
  expect(sent).toHaveLength(4);
});

test("lists follow opaque links, return each member once and detect loops", async () => {
  const link = (to: string) => ({
    link: `<https://api.acme.test/odd/${to}>; rel="next", <https://x.test>; rel="last"`,
  });
  const pages = [
    json([{ id: 1 }, { id: 2 }], link("two")),
    json([{ id: 2 }, { id: 3 }], link("three")),
    json([{ id: 4 }]),
  ];
  const good = clientWith(pages);
  const members = await collect(good.client.members(call, z.array(thing), (one) => String(one.id)));
  expect(members.map((one) => one.id)).toEqual([1, 2, 3, 4]);
  expect(good.sent.map((one) => new URL(one.url).pathname)).toEqual([
    "/v1/things/1",
    "/odd/two",
    "/odd/three",
  ]);
  const circle = clientWith([json([{ id: 1 }], link("two"))]);
  const endless = collect(circle.client.members(call, z.array(thing), (one) => String(one.id)));
  expect((await failureOf(endless)).kind).toBe("malformed");
});

test("a response above the limit is refused before it fills memory", async () => {
  let pulls = 0;
  const flood = () =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull(controller) {
          pulls += 1;
          controller.enqueue(new Uint8Array(1024 * 1024));
        },
      }),
      { headers: JSON_TYPE },
    );
  const { client } = clientWith([flood]);
  expect((await failureOf(client.request(call, thing))).kind).toBe("malformed");
  expect(pulls).toBeLessThan(24);
});

test("rate-limit headers are also read without the prefix x-", async () => {
  const headers = {
    "ratelimit-limit": "60",
    "ratelimit-remaining": "7",
    "ratelimit-reset": "1800000000",
    "ratelimit-name": "notes",
  };
  const { client, reports } = clientWith([json({ id: 1 }, headers)]);
  await client.request(call, thing);
  const resetAt = 1_800_000_000_000;
  expect(reports).toEqual([{ resource: "notes", remaining: 7, size: 60, resetAt, retryAt: null }]);
});

test("an exhausted quota without x- and Retry-After names its reset", async () => {
  const reset = String(NOW / 1000 + 90);
  const { client } = clientWith([json({}, { "ratelimit-remaining": "0", "ratelimit-reset": reset }, 429)]);
  const failure = await failureOf(client.send(call));
  expect([failure.kind, failure.retryAt]).toEqual(["rate-limited", NOW + 90_000]);
});

test("field errors and OAuth errors are quoted", async () => {
  const taken = clientWith([json({ message: { name: ["has already been taken"] } }, {}, 400)]);
  expect((await failureOf(taken.client.send(call))).message).toContain("name has already been taken.");
  const oauth = clientWith([json({ error: "invalid_grant", error_description: "It was revoked." }, {}, 400)]);
  expect((await failureOf(oauth.client.send(call))).message).toContain("invalid_grant It was revoked.");
});

test("a page includes its headers", async () => {
  const { client } = clientWith([json([{ id: 1 }], { "x-total": "40" })]);
  const { headers } = await client.page(call, z.array(thing));
  expect(headers.get("x-total")).toBe("40");
});
