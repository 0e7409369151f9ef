import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuthorisationIo, RestoreOrder } from "#connectors/contract/platform-connector.ts";
import type { RestoreAnswers } from "#connectors/contract/restore-question.ts";
import { allowInBrowser } from "#tests/conformance/allow-in-browser.ts";
import { failureOf } from "#tests/conformance/connector/suite.ts";
import { createdBy, expectCalls, promisedBy } from "#tests/conformance/expect-plan-kept.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { memoryJournal, runRestore, testSession } from "#tests/conformance/test-session.ts";
import { allOf } from "#tests/harness/all-of.ts";
import { connector } from "./almanac/connector.ts";
import { matchedRegisters } from "./almanac/restore/answers.ts";
import { type AlmanacTestWorld, openAlmanacWorld } from "./almanac/test-world.ts";

/** What only this platform has; the conformance suite covers the rest. */

let world: AlmanacTestWorld;
let token: string;
let snapshot: MemorySnapshot;
beforeAll(async () => {
  world = await openAlmanacWorld();
  token = await world.issueToken();
  snapshot = await take(world.item.externalId);
});
afterAll(() => world.stop());

const session = (more: Partial<Parameters<typeof testSession>[0]> = {}) => {
  const { config, accountName, connectionDetails } = world;
  return testSession({ config, accountName, connectionDetails, token, ...more });
};
async function take(externalId: string): Promise<MemorySnapshot> {
  const item = await connector.getItem(session(), { kind: "book", externalId, fullName: "" });
  return await takeSnapshot(connector.backUp(session(), { item, previous: null, cursor: null }));
}
const io = (): AuthorisationIo => ({
  ...{ config: world.config, clock: { now: () => Date.now() } },
  fetch: (url, init) => fetch(url, { ...init, redirect: "manual" }),
});

/** What an authorisation of a person ends with. */
async function exchangeAs(login: string, authMethod = "books") {
  const verifier = "a-verifier-of-more-than-forty-three-characters-000";
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const redirectUri = "http://localhost:8787/connect/callback";
  const codeChallenge = Buffer.from(hash).toString("base64url");
  const url = connector.authoriser.consentUrl(world.config, {
    authMethod,
    state: "s",
    codeChallenge,
    redirectUri,
  });
  const code = (await allowInBrowser(url, login)).get("code") ?? "";
  return await connector.authoriser.exchange(io(), { authMethod, code, codeVerifier: verifier, redirectUri });
}

test("a consent that opens several sites ends in candidates, one that opens a single site in its grant", async () => {
  expect(await exchangeAs("nora-lindqvist")).toMatchObject({
    kind: "candidates",
    candidates: [
      { note: "meridian.almanac.example" },
      { name: "Harbour Works" },
      { name: "Lindqvist Family" },
    ],
  });
  expect(await exchangeAs("mats-ek")).toMatchObject({
    kind: "granted",
    grant: {
      account: { name: "Harbour Works", type: "site" },
      details: { address: "harbour-works.almanac.example" },
    },
  });
});

test("a site that the person does not have cannot be chosen, and a refresh token works once", async () => {
  const authorised = await exchangeAs("nora-lindqvist");
  if (authorised.kind !== "candidates") throw new Error("There is no choice.");
  const { tokens } = authorised;
  expect((await failureOf(connector.authoriser.choose!(io(), tokens, "st99999999"))).kind).toBe("gone");
  const refresh = () => connector.authoriser.refresh(io(), tokens.refreshToken ?? "", "books");
  const renewed = await refresh();
  expect(renewed.refreshToken).not.toBe(tokens.refreshToken);
  expect((await failureOf(refresh())).kind).toBe("unauthorized");
});

test("a list whose cursor comes back ends with a word, and a connection without a site is no longer authorised", async () => {
  const body = { items: [], next: "again" };
  const headers = { "content-type": "application/json" };
  const action = { kind: "answer", status: 200, headers, body } as const;
  world.simulator.faults.add({ match: { path: "/books\\?" }, times: 100, action });
  const query = { kind: "book", place: null, name: null, page: 0, perPage: 10 };
  const failure = await failureOf(connector.listItems(session(), query));
  world.simulator.faults.clear();
  expect(failure).toMatchObject({ kind: "malformed", message: expect.stringContaining("does not end") });
  const lost = session({ connectionDetails: null });
  expect((await failureOf(connector.listItems(lost, query))).kind).toBe("unauthorized");
});

test("the quota of a site and that of uploads are counted apart", async () => {
  const tight = await openAlmanacWorld({ requestLimit: 3 });
  try {
    const own = { config: tight.config, connectionDetails: tight.connectionDetails, accountName: "" };
    const by = testSession({ ...own, token: await tight.issueToken() });
    const read = () => connector.getItem(by, { kind: "book", ...tight.item });
    for (let call = 0; call < 3; call += 1) await read();
    expect(await failureOf(read())).toMatchObject({ kind: "rate-limited", status: 429 });
  } finally {
    await tight.stop();
  }
  const spent: (string | undefined)[] = [];
  const by = { ...session(), spend: async (_points: number, quota?: string) => void spent.push(quota) };
  await runRestore(connector.restore(by, snapshot, asNew("Quotas"), memoryJournal()));
  expect(spent.filter((quota) => quota === "uploads")).toHaveLength(6);
});

const asNew = (name: string, part: string | null = null): RestoreOrder => ({
  ...{ target: { kind: "new", name, place: null }, part, answers: {} },
});
const intoBook = (
  book: { externalId: string; fullName: string },
  answers: RestoreAnswers,
  part: string | null = null,
) =>
  ({
    target: { kind: "existing", item: { ...book, name: "" } },
    ...{ part, answers },
  }) satisfies RestoreOrder;
const restore = (order: RestoreOrder, by = session(), journal = memoryJournal()) =>
  runRestore(connector.restore(by, snapshot, order, journal));
const plan = (order: RestoreOrder) => connector.planRestore({ accountName: "" }, snapshot, order);
const entryOf = async (kind: string, title: string) => {
  const found = (await allOf(snapshot.list())).find((entry) => entry.kind === kind && entry.title === title);
  if (!found) throw new Error(`There is no ${kind} ${title}`);
  return found.path;
};

test("pages come back in the tree and at the places where they stood", async () => {
  const { item } = await restore(asNew("In order"));
  const shape = async (id: string) => {
    const { contents, pages, registers } = await world.read({ externalId: id });
    const titleOf = (child: string) =>
      pages.find((page) => page.id === child)?.title ?? registers.find((each) => each.id === child)?.title;
    const blocks = pages.map(({ title, blocks: all }) => [
      title,
      all.map((block) =>
        block.type === "page" || block.type === "register" ? titleOf(block.id) : block.type,
      ),
    ]);
    return { contents: contents.map((child) => titleOf(child.id)), blocks: blocks.sort() };
  };
  expect(await shape(item.externalId)).toEqual(await shape(world.item.externalId));
});

test("a comment comes back with its author, its time and whom it answers, and mentions nobody", async () => {
  const { item, events } = await restore(asNew("Quoted"));
  const { comments } = await world.read(item);
  expect(comments[0]?.text).toMatch(/^> \*\*Mats Ek\*\* wrote this on 9 September 2026/);
  expect(comments[0]?.text).not.toContain("@nora");
  expect(comments[1]?.text).toContain("In answer to Mats Ek.");
  expect(comments[2]?.text).toContain("account is gone");
  const impossible = events.flatMap((event) => (event.type === "impossible" ? [event.what] : []));
  expect(impossible).toEqual(["Authors and dates", "Links between rows", "Reactions"]);
});

test("a plan of a whole version, a page, a register and a row is kept, with its calls", async () => {
  const parts = [
    null,
    await entryOf("page", "Welcome aboard"),
    await entryOf("register", "Berths"),
    await entryOf("row", "North 1"),
  ];
  for (const part of parts) {
    const order = asNew(`Planned ${part}`, part);
    const by = session();
    const promised = await plan(order);
    const { events } = await restore(order, by);
    expect(promisedBy(promised), `${part}`).toEqual(createdBy(events));
    expectCalls(promised.cost, { session: by, apiUrl: world.simulator.url });
    expect(promised.isEstimate).toBe(false);
  }
});

test("the columns of a register lead into the register of its title, else of the first one named", () => {
  const matched = matchedRegisters({
    "a.title": "x.title",
    "a.depth": "x.c1",
    "a.paid": "y.c9",
    "a.state": null,
    "b.depth": "y.c2",
    "c.depth": null,
    strange: "x.c1",
    "d.depth": "odd",
  });
  expect([...matched].map(([id, { into, columns }]) => [id, into, Object.fromEntries(columns)])).toEqual([
    ["a", "x", { title: "title", depth: "c1" }],
    ["b", "y", { depth: "c2" }],
  ]);
});

test("columns of another name are guessed, unlike ones stay open, and values go into columns of their kind", async () => {
  const book = await world.makeBook("Other berths");
  const columns = [
    { name: "DEPTH", type: "number" },
    { name: "Notes", type: "text" },
  ];
  const { id } = await world.happen<{ id: string }>(`/books/${book.externalId}/registers`, {
    title: "berths",
    columns,
  });
  const order = { target: intoBook(book, {}).target, part: await entryOf("row", "North 2") };
  const questions = await connector.restoreQuestions(session(), snapshot, order);
  const question = questions.find(({ type }) => type === "matching");
  if (question?.type !== "matching") throw new Error("Nothing is to be matched.");
  const source = question.left[0]!.id.split(".")[0];
  expect(question.default).toMatchObject({
    ...{ [`${source}.title`]: `${id}.title`, [`${source}.depth`]: `${id}.c1`, [`${source}.paid`]: null },
  });
  expect(question.suggested).toEqual([`${source}.depth`]);
  const answers = {
    under: "top",
    columns: { ...question.default, [`${source}.paid`]: `${id}.c2`, [`${source}.captain`]: `${id}.c1` },
  };
  const { item, events } = await restore(intoBook(book, { ...answers, prefix: "Found: " }, order.part));
  const { rows, registers } = await world.read(book);
  expect(rows).toMatchObject([
    { title: "Found: North 2", registerId: id, cells: { c2: { type: "text", text: "No" } } },
  ]);
  expect(registers).toHaveLength(1);
  expect(item.webUrl).toContain(rows[0]!.id);
  expect(events.flatMap((event) => (event.type === "changed" ? [event.what] : []))).toContain(
    "Berths · State",
  );
});

test("a register of which no column is matched is made anew, below the page that was chosen", async () => {
  const book = await world.makeBook("With a page");
  const page = await world.happen<{ id: string }>(`/books/${book.externalId}/pages`, { title: "Here" });
  const order = intoBook(book, { under: page.id, prefix: "Old " }, await entryOf("register", "Duties"));
  const { events } = await restore(order);
  expect(createdBy(events)).toEqual({ register: 1, row: 2, comment: 1 });
  const { registers, rows, pages } = await world.read(book);
  expect(registers).toMatchObject([{ title: "Old Duties", parentId: page.id }]);
  expect(rows.map(({ registerId }) => registerId)).toEqual([registers[0]!.id, registers[0]!.id]);
  expect(pages[0]?.blocks.at(-1)).toEqual({ type: "register", id: registers[0]!.id });
});

test("a restore into an existing book that dies at any request adds everything once", async () => {
  const counting = await world.makeBook("Counted");
  const by = session();
  const whole = await restore(intoBook(counting, { under: "top" }), by);
  const shape = async (book: { externalId: string }) => {
    const { pages, registers, rows, comments, files } = await world.read(book);
    return [pages, registers, rows, comments, files].map((each) => each.length);
  };
  const wanted = await shape(counting);
  for (let lost = 1; lost <= by.requests.length; lost += 1) {
    const book = await world.makeBook(`Lost ${lost}`);
    const journal = memoryJournal();
    let sent = 0;
    const dying = session({
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        sent += 1;
        if (sent < lost) return answer;
        await answer.body?.cancel();
        throw new Error("The worker died.");
      },
    });
    await restore(intoBook(book, { under: "top" }), dying, journal).catch(() => undefined);
    const { events } = await restore(intoBook(book, { under: "top" }), session(), journal);
    expect([lost, await shape(book)]).toEqual([lost, wanted]);
    expect(createdBy(events)).toEqual(createdBy(whole.events));
  }
}, 120_000);

test("files that the version lacks and pages that moved during the backup are told", async () => {
  const holed = await take(world.item.externalId);
  for (const [path, { info }] of holed.entries) if (info.kind === "file") holed.entries.delete(path);
  const loose = holed.entries.get(await entryOf("page", "The quay"))!;
  holed.entries.set(`pages/pg9/page.json`, {
    ...loose,
    info: { ...loose.info, path: "pages/pg9/page.json" },
  });
  const { events } = await runRestore(connector.restore(session(), holed, asNew("Holed"), memoryJournal()));
  expect(events.flatMap((event) => (event.type === "missing" ? [event.what] : []))).toEqual([
    "1 page",
    "6 files",
  ]);
});
