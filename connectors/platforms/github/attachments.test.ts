import { expect, test } from "vitest";
import type { Session } from "#connectors/contract/platform-connector.ts";
import { joined, takeUntil } from "#tests/conformance/connector/suite.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore, type TestSession } from "#tests/conformance/test-session.ts";
import { attachmentLinks, isFileHost } from "./backup/attachment-links.ts";
import { connector } from "./connector.ts";
import { lines, openWorld } from "./restore/restore-test-world.ts";
import type { Repository } from "./simulator/state.ts";

const PICTURE = new Uint8Array(40_000).map((_, index) => (index * 13) % 251);
const PLAN = new TextEncoder().encode("%PDF a plan of the crane");
const GITHUB = { GITHUB_WEB_URL: "https://github.com" };
const UUID = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0";

type World = Awaited<ReturnType<typeof openWorld>>;

/** Creates a repository whose texts link to attached files, one of which cannot be fetched. */
async function makeTexts(open: World, name: string, visibility: "private" | "public") {
  const { world, octokit } = open;
  const repository = await world.makeRepository(name, { visibility });
  const at = { owner: repository.owner, repo: name };
  const url = `${world.simulator.url}/__sim/github/repos/${repository.owner}/${name}`;
  const attach = async (file: string, contentType: string, bytes: Uint8Array) => {
    const body = JSON.stringify({ name: file, contentType, base64: Buffer.from(bytes).toString("base64") });
    const answer = await fetch(`${url}/attachments`, { method: "POST", body });
    return ((await answer.json()) as { url: string }).url;
  };
  await fetch(`${url}/generate`, {
    method: "POST",
    body: JSON.stringify({ pulls: 1, reviewsPerPull: 1, discussions: 1 }),
  });
  await fetch(`${url}/features`, { method: "POST", body: JSON.stringify({ hasDiscussions: true }) });
  const records = world.simulator.world.records.of(repository);
  const picture = await attach("crane.png", "image/png", PICTURE);
  const plan = await attach("plan & Maße.pdf", "application/pdf", PLAN);
  const gone = `${world.simulator.webUrl}/user-attachments/assets/${UUID}`;
  const foreign = `${world.simulator.webUrl.replace("127.0.0.1", "localhost")}/user-attachments/assets/${UUID}`;
  const texts = `![crane](${picture}) and <img src="${picture}"> [plan](${plan}) ${gone} ${foreign}`;
  const { data: issue } = await octokit.rest.issues.create({ ...at, title: "Files", body: texts });
  await octokit.rest.issues.createComment({ ...at, issue_number: issue.number, body: `again ${picture}` });
  await octokit.rest.repos.createRelease({ ...at, tag_name: "v1.0", body: `![](${picture})` });
  for (const thing of [
    records.issues[0],
    records.reviews[0],
    records.reviewComments[0],
    records.discussions[0],
  ])
    if (thing !== undefined) thing.body = `see ${picture}`;
  return { repository, issue: issue.number, keyOfPicture: picture.split("/").at(-1) ?? "", plan };
}

async function versionOf(
  by: TestSession,
  { world }: World,
  repository: Repository,
  previous: MemorySnapshot | null = null,
) {
  const item = await connector.getItem(by, { kind: "repository", ...world.reference(repository) });
  return await takeSnapshot(connector.backUp(by, { item, previous, cursor: null }), previous);
}

const attached = ({ entries }: MemorySnapshot) =>
  [...entries.values()].filter(({ info }) => info.kind === "attachment");
const pad = (number: number) => String(number).padStart(12, "0");
const fetched = (by: TestSession) =>
  by.requests.filter(({ url }) => /user-attachments|private-user-images/.test(url));

test("a private repository's attached files are backed up once each, as far as GitHub returns them", async () => {
  const open = await openWorld();
  const { repository, issue, keyOfPicture } = await makeTexts(open, "private-files", "private");
  const sent: { url: string; authorization: string | null }[] = [];
  const by = open.session(async (url, init) => {
    sent.push({ url, authorization: new Headers(init?.headers).get("authorization") });
    return await fetch(url, init);
  });
  const first = await versionOf(by, open, repository);
  const folders = attached(first).map(({ info }) => info.path.split("/attachments/")[0]?.split("/")[0]);
  expect(new Set(folders)).toEqual(new Set(["issues", "pulls", "releases", "discussions"]));
  for (const { info, bytes } of attached(first)) {
    expect(info.title).toBe(`${keyOfPicture}.png`);
    expect(info.path.endsWith(`/attachments/${keyOfPicture}`)).toBe(true);
    expect(Buffer.from(bytes).equals(Buffer.from(PICTURE))).toBe(true);
  }
  expect(first.skipped.map(({ reason }) => reason)).toEqual([
    expect.stringContaining("does not let us reach the attached file"),
    expect.stringContaining("to signed-in browsers only"),
  ]);
  // Credentials go to the API only, and no request goes to another host that a text names.
  const web = sent.filter(({ url }) => /user-attachments|private-user-images/.test(url));
  expect(web.length).toBeGreaterThan(0);
  expect(web.every(({ authorization }) => authorization === null)).toBe(true);
  expect(web.every(({ url }) => url.startsWith(open.world.simulator.webUrl))).toBe(true);
  const again = open.session();
  const second = await versionOf(again, open, repository, first);
  expect(fetched(again).filter(({ url }) => url.includes(keyOfPicture))).toEqual([]);
  expect(attached(second).length).toBe(attached(first).length);
  const paths: string[] = [];
  for await (const file of connector.exportFiles(first, { name: "private-files" })) paths.push(file.path);
  expect(paths).toContain(`attachments/issues/${pad(issue)}/${keyOfPicture}.png`);
});

test("a file linked by an issue and its comment is fetched once and stored once", async () => {
  const open = await openWorld();
  // The comment links the issue's picture again; a review comment links the review's picture again.
  const { repository, issue, keyOfPicture } = await makeTexts(open, "linked-twice", "public");
  const by = open.session();
  const version = await versionOf(by, open, repository);
  const path = `issues/${pad(issue)}/attachments/${keyOfPicture}`;
  expect(attached(version).filter(({ info }) => info.path === path)).toHaveLength(1);
  const threads = attached(version).filter(({ info }) => info.path.endsWith(keyOfPicture)).length;
  const asked = fetched(by).filter(({ url }) => new URL(url).pathname.endsWith(keyOfPicture));
  expect(asked).toHaveLength(threads);
});

test("a public repository's attached files of every kind are backed up, and a restore keeps their links and reports it", async () => {
  const open = await openWorld();
  const { repository, issue, plan } = await makeTexts(open, "public-files", "public");
  const version = await versionOf(open.session(), open, repository);
  const file = attached(version).find(({ info }) => info.title === "plan & Maße.pdf");
  expect(Buffer.from(file?.bytes ?? []).equals(Buffer.from(PLAN))).toBe(true);
  expect(version.skipped.filter(({ kind }) => kind === "attachment")).toHaveLength(1);
  const target = asNew("public-files-2");
  const { events } = await runRestore(connector.restore(open.session(), version, target, memoryJournal()));
  const { data } = await open.octokit.rest.issues.get({
    ...{ owner: repository.owner, repo: "public-files-2", issue_number: issue },
  });
  expect(data.body).toContain(plan);
  expect(lines(events)).toContainEqual(
    expect.objectContaining({
      type: "impossible",
      what: expect.stringMatching(/^\d+ files attached to texts$/),
    }),
  );
});

test("a backup interrupted between the files of a page continues with the next file and fetches none twice", async () => {
  const open = await openWorld();
  const { world, octokit } = open;
  const repository = await world.makeRepository("many-files", { visibility: "public" });
  const at = { owner: repository.owner, repo: "many-files" };
  const url = `${world.simulator.url}/__sim/github/repos/${at.owner}/${at.repo}/attachments`;
  for (let index = 0; index < 25; index += 1) {
    const links = await Promise.all(
      ["a", "b", "c"].map(async (name) => {
        const order = { name: `${name}.txt`, contentType: "text/plain", base64: btoa(`${name} ${index}`) };
        const answer = await fetch(url, { method: "POST", body: JSON.stringify(order) });
        return ((await answer.json()) as { url: string }).url;
      }),
    );
    await octokit.rest.issues.create({ ...at, title: `Issue ${index}`, body: links.join(" ") });
  }
  const item = await connector.getItem(open.session(), {
    ...{ kind: "repository", ...world.reference(repository) },
  });
  const order = { item, previous: null };
  const hashesOf = ({ entries }: MemorySnapshot) =>
    [...entries.values()].map(({ info }) => `${info.path} ${info.hash}`).sort();
  const whole = await takeSnapshot(connector.backUp(open.session(), { ...order, cursor: null }));
  expect(attached(whole)).toHaveLength(75);
  const isAmongFiles = (cursor: unknown) => JSON.stringify(cursor).includes('"attachments":"issues/');
  const cuts = whole.checkpoints.flatMap((cursor, index) => (isAmongFiles(cursor) ? [index] : []));
  expect(cuts.length).toBeGreaterThanOrEqual(3);
  for (const cut of cuts) {
    const begin = connector.backUp(open.session(), { ...order, cursor: null });
    const { begun, cursor } = await takeUntil(begin, cut);
    const by = open.session();
    const again = await takeSnapshot(joined(begun, connector.backUp(by, { ...order, cursor })));
    expect(hashesOf(again)).toEqual(hashesOf(whole));
    const before = begun.filter((event) => event.type === "stream" && event.kind === "attachment").length;
    expect(before).toBeGreaterThan(0);
    expect(fetched(by).filter(({ url }) => url.includes("/stored/"))).toHaveLength(75 - before);
  }
});

test("an attached file on another host, too large or without a size is skipped and reported", async () => {
  const open = await openWorld();
  const { repository } = await makeTexts(open, "tricks", "public");
  const answers: Record<string, () => Response> = {
    "another host": () =>
      new Response(null, { status: 302, headers: { location: "http://169.254.169.254/latest" } }),
    "too large": () => new Response("a", { headers: { "content-length": "999999999999" } }),
    "no size": () => new Response(new ReadableStream({ start: (body) => body.close() })),
    "broken store": () => new Response("oops", { status: 500 }),
  };
  const reasons = ["does not keep", "more than the", "does not tell how large", "is not available"];
  for (const [index, answer] of Object.values(answers).entries()) {
    const asked: string[] = [];
    const tricked: Session["fetch"] = async (url, init) => {
      asked.push(url);
      return url.includes("/user-attachments/") ? answer() : await fetch(url, init);
    };
    const version = await versionOf(open.session(tricked), open, repository);
    expect(attached(version)).toEqual([]);
    const told = version.skipped.filter(({ kind }) => kind === "attachment");
    expect(told.length).toBeGreaterThan(3);
    for (const { reason } of told) expect(reason).toContain(reasons[index]);
    expect(asked.some((url) => url.includes("169.254"))).toBe(false);
  }
});

test("only GitHub's own URLs count as attached files", () => {
  const text = [
    `![a](https://github.com/user-attachments/assets/${UUID})`,
    `https://github.com/user-attachments/assets/${UUID}?x=1`,
    "[log](https://github.com/user-attachments/files/123/build%20log.txt)",
    `https://github.com/o/r/assets/77/${UUID.replace("0f", "1f")}`,
    "[old](https://github.com/o/r/files/456/a.zip)",
    `<img src="https://user-images.githubusercontent.com/1/2-${UUID.replace("0f", "2f")}.jpeg">`,
    `https://evil.example/user-attachments/assets/${UUID.replace("0f", "3f")}`,
    `https://github.com.evil.example/user-attachments/assets/${UUID.replace("0f", "4f")}`,
    "https://github.com/user-attachments/files/../../../x",
  ].join("\n");
  expect(attachmentLinks(GITHUB, text).map(({ key, name, isSigned }) => [key, name, isSigned])).toEqual([
    [UUID, null, true],
    [UUID.replace("0f", "1f"), null, true],
    ["123", "build log.txt", false],
    ["456", "a.zip", false],
    [UUID.replace("0f", "2f"), `${UUID.replace("0f", "2f")}.jpeg`, false],
  ]);
  const hosts: [string, boolean][] = [
    ["https://github.com/x", true],
    ["https://private-user-images.githubusercontent.com/x", true],
    ["https://github-production-user-asset-6210df.s3.amazonaws.com/x", true],
    ["http://github.com/x", false],
    ["https://github.com:8443/x", false],
    ["https://me@github.com/x", false],
    ["https://evil.s3.amazonaws.com/x", false],
    ["https://githubusercontent.com.evil.example/x", false],
    ["http://169.254.169.254/latest", false],
  ];
  for (const [url, isAllowed] of hosts) expect(isFileHost(GITHUB, new URL(url)), url).toBe(isAllowed);
});
