import { expect, test } from "vitest";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { readId } from "../ids.ts";
import { type Json, notionForTest } from "../test-world.ts";

type Recorded = {
  cassette: string;
  request: { method: string; url: string; headers: Record<string, string>; body: Json };
  response: { status: number; body: Json };
};

/** Calls that cannot be replayed, and why. */
const LEFT_OUT: [RegExp, string][] = [
  [/httpstatus\.io/, "another host"],
  [/\/v1\/invalid$/, "a refusal; held elsewhere"],
  [/\/v1\/users/, "people of another workspace; held elsewhere"],
  [/\/v1\/search$/, "finds whatever the workspace has; held elsewhere"],
  [/\/v1\/file_uploads(\?|$)/, "the list also has uploads of months before"],
];

/** The names of all members with their places; the names of properties do not count. */
function membersOf(value: Json, place = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => membersOf(each, `${place}[]`));
  if (value === null || typeof value !== "object")
    return [`${place}: ${value === null ? "null" : typeof value}`];
  const keys = Object.keys(value);
  const isNamed = place.endsWith("/properties");
  return [
    `${place}: object`,
    ...keys.flatMap((key) => membersOf(value[key], `${place}/${isNamed ? "*" : key}`)),
  ];
}

/** Learns from two answers to the same call which of our ids stands for which of theirs. */
function learn(ids: Map<string, string>, theirs: Json, ours: Json): void {
  if (typeof theirs === "string" && typeof ours === "string") {
    const [a, b] = [readId(theirs), readId(ours)];
    if (a !== null && b !== null) ids.set(a, b);
    return;
  }
  if (theirs === null || ours === null || typeof theirs !== "object" || typeof ours !== "object") return;
  for (const key of Object.keys(theirs)) learn(ids, theirs[key], ours[key]);
}

const ID = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/g;

test.skipIf(contractsAreAbsent())(
  "every recorded session is taken, and answered with the members and kinds of the recorded answers",
  async () => {
    const recorded = readContract("notion/recorded.json") as Recorded[];
    const { ask, control, url, world } = await notionForTest();
    await control("settings", { requestsPerWindow: 1_000_000, burst: 1_000_000 });
    const root = await control("pages", { title: "Root" });
    const ids = new Map([["393abc1e-edcd-80f3-813b-e205934558c6", root.id as string]]);
    // What is imported comes from the simulator: tests do not use the web.
    const picture = `${url}/avatars/nora`;
    const differences: Record<string, string[]> = {};
    let replayed = 0;
    for (const { request, response } of recorded) {
      const isUpload = request.method === "POST" && request.url.endsWith("/file_uploads");
      if (LEFT_OUT.some(([pattern]) => pattern.test(request.url) && !isUpload) || response.status === 404)
        continue;
      const own = (text: string) =>
        text
          .replace(/https:\/\/www\.w3\.org[^"]*/, picture)
          .replaceAll(ID, (id) => ids.get(readId(id)!) ?? id);
      const path = own(request.url.replace("https://api.notion.com/v1", "")).replace(
        /task_\w+$/,
        () => Object.keys(world.state.tasks).at(-1)!,
      );
      const isForm = typeof request.body === "string";
      const answer = await ask(path, {
        method: request.method,
        ...(request.body === null ? {} : { body: own(isForm ? request.body : JSON.stringify(request.body)) }),
        ...(isForm
          ? {
              headers: {
                "Content-Type": `multipart/form-data; boundary=${/^--(\w+)/.exec(request.body)![1]}`,
              },
            }
          : {}),
      });
      const body = (await answer.json()) as Json;
      const call = `${request.method} ${request.url.slice(26).replaceAll(ID, "…").split("?")[0]}`;
      expect([call, answer.status, body.message]).toEqual([call, response.status, undefined]);
      learn(ids, response.body, body);
      const theirs = new Set(membersOf(response.body));
      const ours = new Set(membersOf(body));
      const found = [
        ...[...theirs].filter((each) => !ours.has(each)).map((each) => `lacks ${each}`),
        ...[...ours].filter((each) => !theirs.has(each)).map((each) => `adds ${each}`),
      ];
      if (found.length > 0) differences[call] = [...new Set([...(differences[call] ?? []), ...found])];
      replayed += 1;
    }
    expect(replayed).toBe(300);
    expect(differences).toEqual({});
  },
);
