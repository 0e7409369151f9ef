import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OutsideS3, openS3 } from "#tests/harness/outside.ts";
import { isSampled, sweep } from "#tests/harness/sample.ts";
import { DOORS_TAG } from "#workers/api/describe-doors.ts";
import { http } from "#workers/http.ts";
import rights from "../../docs/rights.md?raw";
import { POLICY, verdictOf } from "./access-policy.ts";
import { everyRow } from "./every-row.ts";
import type { Line } from "./policy-line.ts";
import {
  ACTORS,
  type Actor,
  type Answer,
  type Call,
  type Ids,
  MISSING,
  openSecurityWorld,
  type SecurityWorld,
} from "./security-world.ts";

let world: SecurityWorld;
let s3: OutsideS3;
beforeAll(async () => {
  // A storage that responds. The product would retry an unreachable one for long.
  s3 = await openS3();
  world = await openSecurityWorld({ vars: s3.vars });
});
afterAll(() => Promise.all([world.close(), s3.close()]));

/** Routes without a policy: middleware and catch-all routes. */
const NO_DOORS = /^(ALL|GET) (\/|\/\w+\/)?\*$/;

/** `METHOD /path` of every call of the product, except screens. */
const routes = [...new Set(http.routes.map(({ method, path }) => `${method} ${path}`))].filter(
  (route) => !NO_DOORS.test(route),
);

/** Wire names that refer to a person or a resource of an organisation. */
const NAMES_AN_ID = /(^|[a-z_])(id|ids|sub|repoName)$/i;

/** The names of the field that selects one of several accounts: a call has one of them. */
const ACCOUNT = ["connection_id", "ownerId"];

test("every route is in the policy, and the policy has no other routes", () => {
  expect(routes.length).toBeGreaterThan(15);
  expect(routes.filter((route) => !(route in POLICY))).toEqual([]);
  expect(Object.keys(POLICY).filter((route) => !routes.includes(route))).toEqual([]);
});

test("[B-006] the documented rights are those of the policy", () => {
  const table = rights.split("\n").filter((line) => /^\|.*`(GET|POST|PUT|PATCH|DELETE) /.test(line));
  expect(table.length).toBeGreaterThan(10);
  const actors: Actor[] = ["owner", "admin", "reader", "without role"];
  for (const line of table) {
    const [, right, ...cells] = line.split("|").map((cell) => cell.trim());
    const route = cells[4]!.replaceAll("`", "");
    const { may } = POLICY[route]!;
    const allowed = actors.map((actor) => (verdictOf(may, actor) === "in" ? "yes" : "no"));
    expect([right, ...cells.slice(0, 4)]).toEqual([right, ...allowed]);
  }
});

/** What a restore names at the platform: the item that it goes into, and what it matches there. */
const AT_THE_PLATFORM = new Set(["matchId", "transitionId", "restoredId"]);

test("every id in the API's document is tested or declared not to be one of ours", async () => {
  const { json } = await world.send({ method: "GET", path: "/api/openapi.json" });
  const { paths } = json as unknown as { paths: Record<string, Record<string, Operation>> };
  const untried: string[] = [];
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      // The document names pages and files as the router does. The previous test checks them against the policy.
      if (operation.tags?.includes(DOORS_TAG)) continue;
      // The router writes a part of a path as `:id`.
      const name = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`;
      const line = POLICY[name];
      expect([name, line !== undefined]).toEqual([name, true]);
      const known = JSON.stringify(callOf(name, line!, MISSING));
      for (const field of fieldsOf(operation)) {
        // Tested for all calls together below.
        if (ACCOUNT.includes(field) || AT_THE_PLATFORM.has(field)) continue;
        if (!NAMES_AN_ID.test(field) || line!.notOurs?.includes(field)) continue;
        if (!known.includes(`"${field}"`)) untried.push(`${name} ${field}`);
      }
    }
  }
  expect(untried).toEqual([]);
});

type Operation = { tags?: string[]; parameters?: { name: string }[]; requestBody?: unknown };

/** Every property name in a call's document, at any depth. */
function fieldsOf(operation: Operation): Set<string> {
  const names = new Set(operation.parameters?.map(({ name }) => name));
  const visit = (value: unknown) => {
    if (value === null || typeof value !== "object") return;
    for (const [key, member] of Object.entries(value)) {
      if (key === "properties") for (const name of Object.keys(member as object)) names.add(name);
      visit(member);
    }
  };
  visit(operation.requestBody);
  return names;
}

function callOf(route: string, line: Line, ids: Ids): Call {
  const [method, path] = route.split(" ") as [string, string];
  return { method, path, ...line.send?.(ids) };
}

/** What two responses must share so that they reveal nothing about an id. Echoes of the request are ignored. */
function essence({ status, text }: Answer, ids: Ids): unknown {
  let said = text;
  for (const [name, id] of Object.entries(ids)) if (id !== "") said = said.replaceAll(id, `{${name}}`);
  return { status, said: said.replace(/nonce="[^"]*"/g, "") };
}

/**
 * The actors of one try. A normal run takes one actor that is let in and one without a session; other routes and later
 * commits take the others. A deep run takes all. Of the signed-in actors without the right, whom the route itself must
 * refuse, it takes one or all.
 */
function actorsOf({ may }: Line, turn: number, refused: "all" | "one"): Actor[] {
  const sides = Object.groupBy(ACTORS, (actor) => verdictOf(may, actor));
  return Object.entries(sides).flatMap(([verdict, actors]) =>
    actors.filter(
      (_, i) => (verdict === "refused" && refused === "all") || isSampled(i + turn, actors.length),
    ),
  );
}

const lines = Object.entries(POLICY)
  .filter(([, line]) => line.isTriedApart !== true)
  .map(([route, line], turn) => [route, line, actorsOf(line, turn, "all")] as const);

test("every route is tested with members who may use it and with all who may not", () => {
  for (const [route, line, actors] of lines) {
    const tried = (verdict: string) => actors.filter((actor) => verdictOf(line.may, actor) === verdict);
    expect([route, tried("in").length > 0]).toEqual([route, true]);
    expect([route, tried("sign in").length > 0]).toEqual([route, line.may !== "everyone"]);
    const refused = ACTORS.filter((actor) => verdictOf(line.may, actor) === "refused");
    expect([route, tried("refused")]).toEqual([route, refused]);
  }
  expect(ACTORS.filter((actor) => !lines.some(([, , actors]) => actors.includes(actor)))).toEqual([]);
});

// Each call carries the token in the Authorization header, as an API client sends it.
test.each(lines)(
  "[A-363] %s: allowed members are accepted, everybody else is refused",
  (route, line, actors) =>
    sweep(async () => {
      // Refused actors go first. They use nothing up, so the next actor can use the same ids.
      const given = new Map<boolean, Ids>();
      const inTurn = actors.toSorted((a, b) => Number(isIn(line, a)) - Number(isIn(line, b)));
      const cells: [Actor, number, string | null | undefined][] = [];
      const expected: typeof cells = [];
      for (const actor of inTurn) {
        const side = actor === "other owner";
        const ids = given.get(side) ?? (await world.own(actor, needsPerson(line)));
        const answer = await world.ask(actor, callOf(route, line, ids));
        const verdict = verdictOf(line.may, actor);
        if (verdict === "in") given.delete(side);
        else given.set(side, ids);
        // An actor without a role on the platform learns nothing about it, not even from a list that is open to everyone.
        if (actor === "without role") expect(answer.text).not.toMatch(/nora-lindqvist|canary-yellow/);
        cells.push([actor, answer.status, answer.json?.code]);
        if (verdict === "in") {
          const ok = [line.ok].flat();
          const status = ok.includes(answer.status) ? answer.status : ok[0]!;
          expected.push([actor, status, answer.status === status ? answer.json?.code : null]);
        } else if (verdict === "refused") expected.push([actor, 403, "err.role.forbidden"]);
        else expected.push([actor, 423, "err.session.missing"]);
      }
      expect(cells).toEqual(expected);
    }),
);

const needsPerson = ({ ids = [] }: Line) => ids.includes("person") || ids.includes("avatar");
const isIn = (line: Line, actor: Actor) => verdictOf(line.may, actor) === "in";
const tries = lines
  .flatMap(([route, line]) => (line.ids ?? []).map((name) => [route, line, name] as const))
  .map(([route, line, name], turn) => {
    return [`${route} (${name})`, route, line, name, actorsOf(line, turn, "one")] as const;
  });

/** Ids of both organisations and digests of every row, as the last try left them. Null after a failed try. */
let left: { ours: Ids; theirs: Ids; rows: Record<string, string> } | null = null;

test.each(tries)("%s: a foreign id is treated as missing for everybody", (_, route, line, name, actors) =>
  sweep(async () => {
    // A try changes nothing, so every try can use the same ids.
    const before = left ?? (await standAnew());
    const { ours, theirs } = before;
    left = null;
    for (const actor of actors) {
      const [own, others] = actor === "other owner" ? [theirs, ours] : [ours, theirs];
      const foreign = { ...own, [name]: others[name] };
      const missing = { ...own, [name]: MISSING[name] };
      const answers = [
        await world.ask(actor, callOf(route, line, foreign)),
        await world.ask(actor, callOf(route, line, missing)),
      ] as const;
      expect([actor, essence(answers[0], foreign)]).toEqual([actor, essence(answers[1], missing)]);
      const verdict = verdictOf(line.may, actor);
      const [{ status }] = answers;
      if (verdict === "in") expect([actor, status]).toEqual([actor, line.foreign ?? 404]);
      else if (verdict === "refused") expect([actor, [403, 404].includes(status)]).toEqual([actor, true]);
      else expect([actor, status]).toEqual([actor, 423]);
    }
    expect(await everyRow()).toEqual(before.rows);
    left = before;
  }),
);

async function standAnew() {
  const ours = await world.own("owner", true);
  const theirs = await world.own("other owner", true);
  return { ours, theirs, rows: await everyRow() };
}

test("every call that takes an account treats a foreign one as missing", async () => {
  const { json } = await world.send({ method: "GET", path: "/api/openapi.json" });
  const { paths } = json as unknown as { paths: Record<string, Record<string, Operation>> };
  const { ours, rows } = left ?? (await standAnew());
  left = null;
  const { organisationId } = world.members.otherOwner;
  const foreign = await env.DB.prepare("SELECT id FROM connection WHERE organisation_id = ?")
    .bind(organisationId)
    .first<string>("id");
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const fields = fieldsOf(operation);
      return ACCOUNT.filter((field) => fields.has(field)).map(
        (field) => [`${method.toUpperCase()} ${path}`, field] as const,
      );
    }),
  );
  expect(routes.length).toBeGreaterThan(60);
  for (const [route, field] of routes) {
    const call = callOf(route, POLICY[route]!, ours);
    const ask = async (id: string) => {
      const named = { [field]: id };
      const { status, text } = await world.ask(
        "owner",
        call.method === "GET"
          ? { ...call, query: { ...call.query, ...named } }
          : { ...call, body: { ...(call.body as object | undefined), ...named } },
      );
      return { status, said: text.replaceAll(id, "{account}") };
    };
    const answer = await ask(String(foreign));
    expect([route, answer]).toEqual([route, await ask("con_00000000000000000000000000")]);
    expect([route, [400, 404, 409].includes(answer.status)]).toEqual([route, true]);
  }
  expect(await everyRow()).toEqual(rows);
});
