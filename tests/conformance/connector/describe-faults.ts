import { expect, test } from "vitest";
import type { ConnectorErrorKind } from "#connectors/contract/connector-error.ts";
import type { FaultOrder } from "#connectors/toolkit/simulator/faults.ts";
import { failureOf, hashes, isContent, type Suite } from "./suite.ts";

type Action = FaultOrder["action"];

/** Number of backup requests that get a fault, spread over the whole backup. */
const FAULTY_REQUESTS = 6;
const YEAR_MS = 365 * 86_400_000;
/** Network faults and outages of the platform: a run retries and loses nothing. */
const PASSING: readonly (readonly [string, Action])[] = [
  ...[500, 502, 503, 504, 520].map((status) => [`${status}`, { kind: "answer", status } as Action] as const),
  ["a web page", { kind: "html" }],
  ["nothing", json("")],
  ["half of a JSON", json('{"id": 1, "na')],
  ["a lost connection", { kind: "drop" }],
  ["a cut answer", { kind: "cut", afterBytes: 20 }],
];
/** Responses that a retry cannot fix. */
const LASTING: readonly (readonly [string, Action, readonly ConnectorErrorKind[]])[] = [
  [
    "another content type",
    { kind: "answer", status: 200, headers: { "content-type": "text/csv" }, body: "a,b" },
    ["malformed"],
  ],
  ["another form", json("[[1]]"), ["malformed"]],
  ["a redirect to another host", redirect("https://elsewhere.example/x"), ["malformed"]],
  [
    "403",
    { kind: "answer", status: 403, headers: { "content-type": "application/json" }, body: { message: "No" } },
    ["forbidden"],
  ],
  [
    "404",
    {
      kind: "answer",
      status: 404,
      headers: { "content-type": "application/json" },
      body: { message: "Not Found" },
    },
    ["gone"],
  ],
  [
    "451",
    {
      kind: "answer",
      status: 451,
      headers: { "content-type": "application/json" },
      body: { message: "Blocked" },
    },
    ["gone"],
  ],
];

/** Damage to a git stream in transit. */
const BROKEN_PACKS: readonly Action[] = [
  { kind: "cut", afterBytes: 300 },
  { kind: "wrong-trailer" },
  { kind: "object-count" },
  { kind: "band3", afterBytes: 100 },
  { kind: "err-line", message: "upload-pack: not our ref" },
  { kind: "html" },
  { kind: "drop" },
];

/** Faults of the platform and the network, and how the connector handles them. */
export function describeFaults(name: string, suite: Suite): void {
  const { connector, world, session } = suite;
  const read = (by = session()) => suite.getItem(world().item, by);
  const search = () =>
    connector.listItems(session(), {
      ...{ kind: world().kind, place: null, name: "no such item", page: 0, perPage: 10 },
    });

  test(`${name}: a temporary fault is retried, and a permanent one is unavailable after a few attempts`, async () => {
    const wanted = await read();
    for (const [what, action] of PASSING) {
      world().faults.add({ match: { method: "GET" }, times: 2, action });
      expect(await read(), what).toEqual(wanted);
      world().faults.clear();
      world().faults.add({ match: {}, times: 1_000, action });
      const by = session();
      expect([what, (await failureOf(read(by))).kind]).toEqual([what, "unavailable"]);
      expect(by.requests.length, what).toBeLessThanOrEqual(8);
      expect(
        by.slept.every((ms) => ms > 0),
        what,
      ).toBe(true);
      world().faults.clear();
    }
  });

  test(`${name}: a permanent error is requested once and has its own kind, and no other host is contacted`, async () => {
    for (const [what, action, kinds] of LASTING) {
      // Only the first response fails. The request that tells a deleted item from a hidden one succeeds.
      world().faults.add({ match: { method: "GET" }, action });
      const by = session();
      const failure = await failureOf(read(by));
      expect(kinds, `${what}: ${failure.message}`).toContain(failure.kind);
      expect(by.slept, what).toEqual([]);
      for (const { url } of by.requests)
        expect(Object.values(world().config).join(" ")).toContain(new URL(url).host);
      world().faults.clear();
    }
    world().faults.add({ match: { method: "GET" }, times: 100, action: redirect("/round/and/round") });
    const by = session();
    expect((await failureOf(read(by))).kind).toBe("malformed");
    expect(by.requests.length).toBeLessThan(10);
    world().faults.clear();
  });

  test(`${name}: an exhausted quota is rate-limited with its reset time`, async () => {
    const wanted = Math.ceil(Date.now() / 1000) * 1000 + 600_000;
    const ruled = await world().exhaustQuota(wanted);
    const resetAt = typeof ruled === "number" ? ruled : wanted;
    const error = await failureOf(read());
    expect(error.kind).toBe("rate-limited");
    expect(Math.abs((error.retryAt ?? 0) - resetAt)).toBeLessThanOrEqual(1_000);
    world().faults.clear();
  });

  test(`${name}: every form of rate limit names a reasonable time to wait, whatever Retry-After says`, async () => {
    const item = await read();
    const waits = ["120", new Date(Date.now() + 120_000).toUTCString(), undefined, "0", "315360000", "soon"];
    for (const shape of world().limitShapes) {
      for (const retryAfter of waits) {
        world().faults.add({
          match: {},
          times: 100,
          action: { kind: "rate-limit", shape, ...(retryAfter === undefined ? {} : { retryAfter }) },
        });
        for (const meet of [() => read(), () => suite.backUp(item)]) {
          const { kind, retryAt } = await failureOf(meet());
          expect([shape, retryAfter, kind]).toEqual([shape, retryAfter, "rate-limited"]);
          expect(retryAt ?? 0, `${shape} ${retryAfter}`).toBeGreaterThan(Date.now() + 500);
          expect(retryAt ?? 0, `${shape} ${retryAfter}`).toBeLessThan(Date.now() + YEAR_MS);
        }
        world().faults.clear();
      }
    }
  });

  test(`${name}: circular pages end, and a member on two pages is listed once`, async () => {
    const headers = { "content-type": "application/json", link: '</here?page=2>; rel="next"' };
    world().faults.add({
      match: { method: "GET" },
      times: 1_000,
      action: { kind: "answer", status: 200, headers, body: [] },
    });
    if (world().isUnpaged) expect((await search()).items).toEqual([]);
    else expect((await failureOf(search())).kind).toBe("malformed");
    world().faults.clear();
    const items = await suite.listItems();
    expect(new Set(items.map(({ externalId }) => externalId)).size).toBe(items.length);
  });

  test(`${name}: a damaged git stream fails or is fetched again, and is never stored`, async () => {
    const item = await read();
    const whole = await suite.backUp(item);
    for (const action of BROKEN_PACKS) {
      // The first git request lists the branches, the second fetches the pack.
      world().faults.add({ match: { method: "POST", path: "git-upload-pack" }, skip: 1, action });
      const outcome = await suite.backUp(item).then(
        (snapshot) => hashes(snapshot, isContent),
        (error: { kind?: string }) => error.kind,
      );
      world().faults.clear();
      if (typeof outcome === "object") expect(outcome, action.kind).toEqual(hashes(whole, isContent));
      else expect(["unavailable", "malformed"], action.kind).toContain(outcome);
    }
  });

  test(`${name}: a backup with a fault at any request fails or is complete, never partial`, async () => {
    const item = await read();
    const by = session();
    const whole = hashes(await suite.backUp(item, null, by), isContent);
    const every = Math.ceil(by.requests.length / FAULTY_REQUESTS);
    for (const action of [
      { kind: "answer", status: 502 },
      { kind: "drop" },
      { kind: "cut", afterBytes: 10 },
    ] as const) {
      for (let skip = 0; skip < by.requests.length; skip += every) {
        world().faults.add({ match: {}, skip, action });
        const outcome = await suite.backUp(item).then(
          (snapshot) => ({ snapshot }),
          (error: unknown) => ({ error }),
        );
        world().faults.clear();
        const where = `${action.kind} at request ${skip}`;
        if ("error" in outcome) {
          expect(outcome.error, where).toMatchObject({ name: "ConnectorError" });
          expect(["unavailable", "malformed"], where).toContain((outcome.error as { kind: string }).kind);
        } else expect(hashes(outcome.snapshot, isContent), where).toEqual(whole);
      }
    }
  });
}

function json(body: string): Action {
  return { kind: "answer", status: 200, headers: { "content-type": "application/json" }, body };
}

function redirect(location: string): Action {
  return { kind: "answer", status: 301, headers: { location }, body: "" };
}
