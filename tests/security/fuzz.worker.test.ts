import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRuntimeLog } from "#tests/harness/read-runtime-log.ts";
import { howToRepeat, isDeep, isSampled, sweep, sweepSeed } from "#tests/harness/sample.ts";
import { DOORS_TAG } from "#workers/api/describe-doors.ts";
import { routePath } from "#workers/form-paths.ts";
import * as build from "../../build/server/index.js";
import { POLICY } from "./access-policy.ts";
import { everyRow } from "./every-row.ts";
import { type Answer, type Call, type Ids, openSecurityWorld, type SecurityWorld } from "./security-world.ts";

/** Inputs per call. The seed repeats a failure. A normal run tries a few, different ones for each commit. */
const RUNS = isDeep() ? 20 : 4;
const SEED = isDeep() ? 20_261_121 : sweepSeed();

/** A normal run sends each call one in this many of the bodies that every call rejects. Calls take different ones. */
const REFUSED_PARTS = 4;

let world: SecurityWorld;
let ids: Ids;
beforeAll(async () => {
  world = await openSecurityWorld();
  ids = await world.own("owner", true);
});
afterAll(() => world.close());

/** Values that often break programs. */
const nasty = fc.constantFrom<unknown>(
  null,
  true,
  "",
  " ",
  "0",
  -1,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  [],
  {},
  [[]],
  [null],
  "a".repeat(5_000),
  "\u0000",
  "\ud800",
  "\u202egnp.exe",
  "💥".repeat(100),
  "' OR 1=1 --",
  "'; DROP TABLE user; --",
  "%00",
  "../../../../etc/passwd",
  "<script>alert(1)</script>",
  "#{7*7}{{7*7}}",
  "__proto__",
  "constructor",
  { id: { id: { id: 1 } } },
  { constructor: { prototype: { polluted: 1 } } },
  JSON.parse('{"__proto__":{"polluted":1}}'),
  Array.from({ length: 2_000 }, (_, i) => i),
);

/** Whole bodies as text: JSON of any shape, and invalid JSON. */
const rawBody = fc.oneof(
  fc.json(),
  fc.string(),
  fc.constantFrom(
    "{",
    "[1,",
    "\ufeff{}",
    '{"a":1,"a":2}',
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    "1e999",
    "NaN",
    "nul",
    "[".repeat(2_000),
    `${'{"a":'.repeat(500)}1${"}".repeat(500)}`,
    "'{}'",
    "<xml/>",
  ),
);

/** The body with one part replaced, removed or added. */
function spoiled(body: unknown): fc.Arbitrary<unknown> {
  const paths = pathsOf(body);
  return fc
    .record({
      path: fc.constantFrom(...paths),
      what: fc.constantFrom("replace", "remove", "add"),
      value: fc.oneof(nasty, fc.jsonValue()),
      name: fc.constantFrom("extra", "__proto__", "constructor", "toString", "id", "organisationId", "role"),
    })
    .map(({ path, what, value, name }) => {
      const copy = structuredClone({ body }) as Record<string, unknown>;
      const steps = ["body", ...path];
      const last = steps.pop()!;
      const parent = steps.reduce<Record<string, unknown>>(
        (at, step) => at[step] as Record<string, unknown>,
        copy,
      );
      const there = parent[last];
      if (what === "remove") delete parent[last];
      else if (what === "add" && there !== null && typeof there === "object")
        Object.defineProperty(there, name, { value, enumerable: true, configurable: true, writable: true });
      else parent[last] = value;
      return copy.body;
    });
}

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (value === null || typeof value !== "object") return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))];
}

/** Internal details that no response may contain. */
const INSIDE =
  /\bat [\w.<>]+ \(|\.ts:\d+|\.js:\d+|node_modules|D1_ERROR|SQLITE|UNIQUE constraint|no such (table|column)|\bselect\b.+\bfrom\b|insert into|ZodError|TypeError|ReferenceError|Cannot read prop/i;

function faultsOf({ status, text, json, headers }: Answer): string[] {
  const faults: string[] = [];
  // No payment provider answers in this world.
  if (status >= 500 && json?.code !== "err.payment.unavailable") faults.push(`status ${status}`);
  // A page for a browser is not an API response.
  if (INSIDE.test(text) && !headers.get("Content-Type")?.startsWith("text/html"))
    faults.push("tells of the inside");
  if (json && Object.keys(json).some((key) => key === "stack")) faults.push("has a stack");
  const hasEnvelope =
    json !== null && ["status", "message", "result", "code"].every((key) => Object.hasOwn(json, key));
  if (status >= 400 && !hasEnvelope) faults.push("no envelope");
  if (hasEnvelope && (json.status === "failure") !== status >= 400)
    faults.push("envelope and status disagree");
  if ("polluted" in {}) faults.push("prototype polluted");
  return faults;
}

const bodies = Object.entries(POLICY).filter(([route]) => !/^(GET|HEAD) /.test(route));
const queries = Object.entries(POLICY).filter(
  ([route]) => route.startsWith("GET ") && !/[:*]|openapi|\/ws$/.test(route),
);

test.each(bodies)("%s handles any body", async (route, { send }) => {
  const [method, path] = route.split(" ") as [string, string];
  const valid = send?.(ids).body ?? {};
  const body = fc.oneof({ weight: 3, arbitrary: spoiled(valid) }, { weight: 1, arbitrary: rawBody });
  await sweep(() =>
    fc.assert(
      fc.asyncProperty(
        body,
        fc.constantFrom("owner" as const, "anonymous" as const),
        async (input, actor) => {
          const answer = await world.ask(actor, { method, path, body: input === undefined ? "" : input });
          expect(faultsOf(answer)).toEqual([]);
        },
      ),
      { numRuns: RUNS, seed: SEED },
    ),
  );
});

test.each(queries)("%s handles any query", async (route, { send }) => {
  const path = route.split(" ")[1]!;
  const known = Object.keys(send?.(ids).query ?? {});
  const name = fc.constantFrom(
    ...known,
    "page",
    "perPage",
    "name",
    "filter",
    "after",
    "__proto__",
    "x",
    "code",
    "state",
    "next",
    "provider",
  );
  const value = fc.oneof(nasty.map(String), fc.string());
  await sweep(() =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 4 }), async (pairs) => {
        const query = new URLSearchParams(
          pairs.map(([key, text]) => [key, text.toWellFormed().slice(0, 500)]),
        );
        const call: Call = { method: "GET", path: `${path}?${query}` };
        expect(faultsOf(await world.ask("owner", call))).toEqual([]);
      }),
      { numRuns: RUNS, seed: SEED },
    ),
  );
});

/** Bodies that every call must reject, with the status. */
const REFUSED_BODIES: readonly [string, string, number][] = [
  ["no JSON", "{", 400],
  ["a list", "[]", 400],
  ["null", "null", 400],
  ["a name twice", '{"a":1,"a":2}', 400],
  ["a prototype", '{"__proto__":{"role":"owner"}}', 400],
  ["depth", "[".repeat(5_000), 400],
  ["a lone surrogate", '{"id":"\\ud800"}', 400],
  ["numbers beyond all", '{"id":1e999}', 400],
  ["too much", `{"id":"${"x".repeat(9_000_000)}"}`, 413],
];

/** Every documented call with an invalid request and the expected status. */
async function refusedCalls(): Promise<[string, string, Call, number][]> {
  const { json } = await world.send({ method: "GET", path: "/api/openapi.json" });
  const { paths } = json as unknown as { paths: Record<string, Record<string, { tags?: string[] }>> };
  const calls: [string, string, Call, number][] = [];
  let turns = 0;
  for (const [path, operations] of Object.entries(paths)) {
    if (Object.values(operations).some(({ tags }) => tags?.includes(DOORS_TAG))) continue;
    // A GET route responds to HEAD as well, even in the identity calls of browser forms.
    const other = ["DELETE", "PATCH", "PUT", "POST"].find((method) => !(method.toLowerCase() in operations))!;
    calls.push([`${other} ${path}`, "another method", { method: other, path, body: "{}" }, 405]);
    for (const method of Object.keys(operations).map((each) => each.toUpperCase())) {
      const name = `${method} ${path}`;
      if (method === "GET") {
        calls.push([name, "a name twice", { method, path: `${path}?page=1&page=2` }, 400]);
        calls.push([name, "a prototype", { method, path: `${path}?__proto__=1` }, 400]);
        continue;
      }
      const turn = turns++;
      for (const [i, [what, body, status]] of REFUSED_BODIES.entries())
        if (isSampled(turn + i, REFUSED_PARTS)) calls.push([name, what, { method, path, body }, status]);
      const headers = { "Content-Type": "text/xml" };
      calls.push([name, "another type", { method, path, body: "<a/>", headers }, 415]);
    }
  }
  return calls;
}

test("every documented call refuses invalid input with a sentence and writes nothing", async () => {
  const calls = await refusedCalls();
  expect(new Set(calls.map(([name]) => name.split(" ")[1])).size).toBeGreaterThan(80);
  // The fuzzing above does not use this organisation.
  const actor = "other owner";
  const before = await everyRow();
  const faults: unknown[] = [];
  for (const [name, what, call, status] of calls) {
    const answer = await world.ask(actor, call);
    const said = answer.json?.message ?? "";
    const isSentence = /^\S.{5,}[.!?]?$/su.test(said) && !/undefined|null|\[object/.test(said);
    if (answer.status !== status || !isSentence || faultsOf(answer).length > 0)
      faults.push([name, what, answer.status, said.slice(0, 100), ...faultsOf(answer)]);
  }
  expect(faults, howToRepeat()).toEqual([]);
  expect(await everyRow()).toEqual(before);
});

const pages = Object.values(build.routes).flatMap((route) => {
  if (!route || (route.path === undefined && !route.index)) return [];
  const path = routePath(build.routes, route)
    .replace(":platform", "github")
    .replace("/:tab?", "")
    .replace("*", "nothing");
  return [{ path, takesForm: route.module.action !== undefined }];
});
/** The address of a page for a browser without scripts, and for our own scripts. */
const addressesOf = (path: string) => [path, path === "/" ? "/_root.data" : `${path}.data`];

const URLENCODED = "application/x-www-form-urlencoded";
/** Bodies that are not forms, with their type and the expected status. */
const NO_FORMS: readonly [string, string, string, number][] = [
  ["nothing", "", "", 415],
  ["text", "text/plain", "email=a", 415],
  ["JSON", "application/json", "{}", 415],
  ["multipart without a boundary", "multipart/form-data", "x", 400],
  ["multipart that breaks off", "multipart/form-data; boundary=b", "--b\r\nbroken", 400],
  [
    "multipart without an end",
    "multipart/form-data; boundary=b",
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
    400,
  ],
  ["too much", URLENCODED, `email=${"x".repeat(2_000_000)}`, 413],
];

test("every page accepts a form if it has one, and refuses everything else with an envelope", async () => {
  expect(pages.filter(({ takesForm }) => takesForm).length).toBeGreaterThan(1);
  expect(pages.filter(({ takesForm }) => !takesForm).length).toBeGreaterThan(20);
  const before = await everyRow();
  const faults: unknown[] = [];
  for (const { path, takesForm } of pages) {
    for (const address of addressesOf(path)) {
      for (const actor of ["other owner", "anonymous"] as const) {
        for (const [what, type, body, status] of NO_FORMS) {
          const call = { method: "POST", path: address, body, headers: { "Content-Type": type } };
          const answer = await world.ask(actor, call);
          const wanted = takesForm ? status : 405;
          if (answer.status !== wanted || faultsOf(answer).length > 0)
            faults.push([address, actor, what, answer.status, ...faultsOf(answer)]);
        }
        for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS", ...(takesForm ? [] : ["POST"])]) {
          const headers = { "Content-Type": URLENCODED };
          const answer = await world.ask(actor, { method, path: address, body: "email=a", headers });
          if (answer.status !== 405 || faultsOf(answer).length > 0)
            faults.push([address, actor, method, answer.status, ...faultsOf(answer)]);
        }
      }
    }
  }
  expect(faults).toEqual([]);
  expect(await everyRow()).toEqual(before);
});

test("a malformed token from a consent page leads to the wizard, which says so", async () => {
  const path = "/connect/github/callback";
  for (const [what, type, body] of NO_FORMS) {
    const call = { method: "POST", path, body, headers: { "Content-Type": type } };
    const { status, headers } = await world.ask("owner", call);
    expect([what, status]).toEqual([what, 302]);
    expect(headers.get("Location")).toMatch(/^\/app-connector\?error_message=./);
  }
});

/** Field names of our forms, and names that often break programs. */
const fieldName = fc.constantFrom(
  ...["email", "password", "rememberMe", "next", "intent", "itemId", "snapshotId"],
  ...[
    "__proto__",
    "constructor",
    "email[0]",
    "email.x",
    "a[b][c]",
    "",
    "\u00e4",
    "[",
    "__proto__.x",
    "__intent__",
  ],
);

test.each(pages.filter(({ takesForm }) => takesForm).flatMap(({ path }) => addressesOf(path)))(
  "the form of %s handles any input",
  async (path) => {
    const log = await readRuntimeLog();
    const value = fc
      .oneof(nasty.map(String), fc.string({ unit: "binary" }))
      .map((text) => text.toWellFormed());
    const fields = fc.array(fc.tuple(fieldName, value, fc.boolean()), { maxLength: 6 });
    const canary = `canary-${crypto.randomUUID()}-\u00e4`;
    await sweep(() =>
      fc.assert(
        fc.asyncProperty(
          fields,
          fc.boolean(),
          fc.constantFrom("other owner" as const, "anonymous" as const),
          async (given, isMultipart, actor) => {
            const form = new FormData();
            form.append("next", `/${canary}`);
            for (const [name, text, isFile] of given) {
              if (isFile && isMultipart) form.append(name, new File([text], "f.txt"));
              else form.append(name, text);
            }
            const pairs = [...form].filter((pair): pair is [string, string] => typeof pair[1] === "string");
            const sent = new Response(isMultipart ? form : new URLSearchParams(pairs));
            const headers = { "Content-Type": sent.headers.get("Content-Type")! };
            const answer = await world.ask(actor, { method: "POST", path, body: await sent.text(), headers });
            // A page responds to a form with a page. Only an error is an envelope.
            expect(answer.status < 400 ? [] : faultsOf(answer)).toEqual([]);
          },
        ),
        { numRuns: RUNS * 5, seed: SEED },
      ),
    );
    expect(await log.untilNow()).not.toContain(canary);
  },
);
