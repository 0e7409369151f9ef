import { expect, test } from "vitest";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { type Json, notionForTest } from "./test-world.ts";

type Recorded = {
  request: { method: string; url: string };
  response: { status: number; headers: Record<string, string>; body: Json };
};

/** The names of all members, with their places. Blocks and texts of different types stand apart. */
function membersOf(value: Json, place = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => membersOf(each, place));
  if (value === null || typeof value !== "object") return [];
  const isOfType = value.object === "block" || value.plain_text !== undefined;
  const here = isOfType ? `${place}(${value.type})` : place;
  return Object.entries(value).flatMap(([name, inner]) => {
    const isNamed = place.endsWith("/properties") || /^[0-9a-f-]{36}$/.test(name);
    const step = `${here}/${isNamed ? "*" : name}`;
    return [step, ...membersOf(inner, step)];
  });
}

/** A recorded answer of a reading call, and the call that the simulator answers in its place. */
const CALLS: Record<string, { recorded: RegExp; asked: (ids: Json) => string }> = {
  users: { recorded: /\/v1\/users$/, asked: () => "/users" },
  me: { recorded: /\/v1\/users\/me$/, asked: () => "/users/me" },
  page: { recorded: /\/v1\/pages\/[0-9a-f-]+$/, asked: ({ page }) => `/pages/${page}` },
  title: { recorded: /\/properties\/title$/, asked: ({ page }) => `/pages/${page}/properties/title` },
  markdown: { recorded: /\/markdown$/, asked: ({ page }) => `/pages/${page}/markdown` },
  block: { recorded: /\/v1\/blocks\/[0-9a-f-]+$/, asked: ({ block }) => `/blocks/${block}` },
  children: { recorded: /\/children/, asked: ({ page }) => `/blocks/${page}/children` },
  database: { recorded: /\/v1\/databases\/[0-9a-f-]+$/, asked: ({ database }) => `/databases/${database}` },
  source: { recorded: /\/v1\/data_sources\/[0-9a-f-]+$/, asked: ({ source }) => `/data_sources/${source}` },
  templates: { recorded: /\/templates$/, asked: ({ source }) => `/data_sources/${source}/templates` },
  views: { recorded: /\/v1\/views\?/, asked: ({ database }) => `/views?database_id=${database}` },
  view: { recorded: /\/v1\/views\/[0-9a-f-]+$/, asked: ({ view }) => `/views/${view}` },
  comments: { recorded: /\/v1\/comments\?/, asked: ({ page }) => `/comments?block_id=${page}` },
  comment: { recorded: /\/v1\/comments\/[0-9a-f-]+$/, asked: ({ comment }) => `/comments/${comment}` },
  emojis: { recorded: /\/v1\/custom_emojis/, asked: () => "/custom_emojis" },
};

/** What a bot of a person has and the recorded bot of a workspace has not, and the recorded time that no type has. */
const OTHERWISE = /^\/(results\/)?(bot\/owner\/(user|workspace)|(bot\/owner\/user\/)?person\/email_verified)/;

/** Members that others have and these have not, except in types that do not occur among these. */
function lackedBy(members: readonly string[], others: readonly string[]): string[] {
  const known = new Set(members);
  const types = new Set(members.flatMap((member) => member.match(/^.*\)/) ?? []));
  return [...new Set(others)].filter((member) => {
    const type = member.match(/^.*\)/)?.[0];
    return !known.has(member) && !OTHERWISE.test(member) && (type === undefined || types.has(type));
  });
}

test.skipIf(contractsAreAbsent())(
  "reading calls answer with the members of the recorded answers",
  async () => {
    const recorded = readContract("notion/recorded.json") as Recorded[];
    const { control, json, world } = await notionForTest();
    const top = await control("pages", { title: "Top" });
    const { id: page } = await control("pages", { title: "One", text: "Text", parentId: top.id });
    await control("pages", { title: "Below", parentId: page });
    const { id: comment } = await control("comments", { onId: page, text: "Said" });
    const table = await control("tables", { title: "Table", parentId: page });
    world.state.dataSources[table.dataSourceId]!.icon = { type: "emoji", emoji: "⚙️" };
    const block = (await json(`/blocks/${page}/children`)).results[0].id;
    const ids = { page, comment, block, database: table.id, source: table.dataSourceId, view: table.viewId };
    for (const [name, call] of Object.entries(CALLS)) {
      const answers = recorded.filter(
        ({ request, response }) =>
          request.method === "GET" && call.recorded.test(request.url) && response.status === 200,
      );
      expect(answers.length, name).toBeGreaterThan(0);
      const theirs = answers.flatMap(({ response }) => membersOf(response.body));
      const ours = membersOf(await json(call.asked(ids)));
      expect(lackedBy(ours, theirs), `${name} lacks`).toEqual([]);
      expect(lackedBy(theirs, ours), `${name} adds`).toEqual([]);
    }
  },
);

test.skipIf(contractsAreAbsent())("refusals are those of the recordings", async () => {
  const recorded = readContract("notion/recorded.json") as Recorded[];
  const { ask } = await notionForTest();
  const absent = "00000000-0000-0000-0000-000000000000";
  for (const [path, init] of [
    ["/users", { as: "wrong" }],
    [`/pages/${absent}`, {}],
    ["/invalid", {}],
  ] as const) {
    const theirs = recorded.find(
      ({ request, response }) => request.url.endsWith(`/v1${path}`) && response.status >= 400,
    )!.response;
    const answer = await ask(path, init);
    const body = (await answer.json()) as Json;
    expect([answer.status, body.code]).toEqual([theirs.status, theirs.body.code]);
    const withoutName = (message: string) => message.replace(/"[^"]*"/, "");
    expect(withoutName(body.message)).toBe(withoutName(theirs.body.message));
    expect(Object.keys(body).sort()).toEqual(Object.keys(theirs.body).sort());
    expect(answer.headers.get("content-type")).toContain("application/json");
  }
});
