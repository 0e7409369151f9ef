import { expect, test } from "vitest";
import { askLfs, isExpired, openLfsDownload } from "./lfs-api.ts";

const NOW = Date.UTC(2026, 10, 3);
const oid = "a".repeat(64);

/** A git server at `url` that gives these answers in turn, and what it was asked. */
function server(url: string, answers: Response[]) {
  const asked: { url: string; headers: Headers }[] = [];
  const fetch = async (to: string, init?: RequestInit) => {
    asked.push({ url: to, headers: new Headers(init?.headers) });
    return answers.shift()!;
  };
  return { asked, lfs: { remote: { url, fetch, clock: { now: () => NOW } }, platform: "GitHub" } };
}

const action = (href: string) => ({ href, header: { authorization: "secret" }, expiresAt: null });
const redirect = (location: string, status = 302) => new Response(null, { status, headers: { location } });

test("an address ends when the server says, by its relative time first, and one without a time never does", async () => {
  const told = (times: object) => ({
    oid,
    actions: { download: { href: "https://files.test/a", ...times } },
  });
  const expiryOf = async (times: object) => {
    const { lfs } = server("https://git.test/r.git", [Response.json({ objects: [told(times)] })]);
    const [answer] = await askLfs(lfs, { operation: "download", objects: [{ oid, sizeBytes: 5 }] });
    return answer!.actions.download!;
  };
  const date = new Date(NOW + 90_000).toISOString();
  expect((await expiryOf({ expires_in: 60, expires_at: date })).expiresAt).toBe(NOW + 60_000);
  expect((await expiryOf({ expires_at: date })).expiresAt).toBe(NOW + 90_000);
  const endless = await expiryOf({});
  expect(endless.expiresAt).toBeNull();
  expect(isExpired(endless, NOW)).toBe(false);
  // An address that ends within half a minute may end while it is in use.
  const short = await expiryOf({ expires_in: 60 });
  expect(isExpired(short, NOW + 30_000)).toBe(false);
  expect(isExpired(short, NOW + 30_001)).toBe(true);
});

test("a file comes from any host over HTTPS, and over HTTP only where git itself uses it", async () => {
  const open = async (url: string, href: string) =>
    (await openLfsDownload(server(url, [new Response("bytes")]).lfs, action(href))).kind;
  expect(await open("https://git.test/r.git", "https://files.test/a")).toBe("open");
  expect(await open("http://localhost/r.git", "http://localhost/a")).toBe("open");
  expect(await open("http://localhost/r.git", "https://files.test/a")).toBe("open");
  for (const href of ["http://files.test/a", "file:///etc/passwd", "nowhere"])
    await expect(open("https://git.test/r.git", href)).rejects.toMatchObject({ kind: "malformed" });
});

test("a download follows redirects, but takes its sign-in to no other host and never leaves HTTPS", async () => {
  const { asked, lfs } = server("https://git.test/r.git", [
    redirect("/b", 300),
    redirect("https://store.test/c", 399),
    new Response("bytes"),
  ]);
  expect((await openLfsDownload(lfs, action("https://files.test/a"))).kind).toBe("open");
  expect(asked.map(({ url, headers }) => [url, headers.get("authorization")])).toEqual([
    ["https://files.test/a", "secret"],
    ["https://files.test/b", "secret"],
    ["https://store.test/c", null],
  ]);
  const downgraded = server("https://git.test/r.git", [redirect("http://files.test/a")]);
  await expect(openLfsDownload(downgraded.lfs, action("https://files.test/a"))).rejects.toMatchObject({
    kind: "malformed",
  });
  expect(downgraded.asked).toHaveLength(1);
});

const answered = (body: unknown, init?: ResponseInit) => Response.json(body, init);
const ask = (lfs: Parameters<typeof askLfs>[0], oids = [oid]) =>
  askLfs(lfs, { operation: "download", objects: oids.map((each) => ({ oid: each, sizeBytes: 5 })) });

test("a batch is requested as git-lfs does, and answers come in the order of the request", async () => {
  const other = "b".repeat(64);
  const objects = [
    { oid: other, actions: { download: { href: "https://files.test/b", header: { a: "1" } } } },
  ];
  const sent: RequestInit[] = [];
  const { lfs, asked } = server("https://git.test/r.git", [answered({ transfer: "basic", objects })]);
  const fetch = async (to: string, init?: RequestInit) => {
    sent.push(init!);
    return await lfs.remote.fetch(to, init);
  };
  const answers = await ask({ ...lfs, remote: { ...lfs.remote, fetch } }, [oid, other]);
  expect(answers).toEqual([
    {
      oid,
      sizeBytes: 5,
      actions: {},
      error: { code: 404, message: "The server did not say anything about this file." },
    },
    {
      oid: other,
      sizeBytes: 5,
      actions: { download: { href: "https://files.test/b", header: { a: "1" }, expiresAt: null } },
      error: null,
    },
  ]);
  expect(asked[0]!.url).toBe("https://git.test/r.git/info/lfs/objects/batch");
  expect(Object.fromEntries(asked[0]!.headers)).toEqual({
    accept: "application/vnd.git-lfs+json",
    "content-type": "application/vnd.git-lfs+json",
    "user-agent": "git/holdfast-1",
  });
  expect(sent[0]).toMatchObject({ method: "POST", redirect: "manual" });
  expect(JSON.parse(String(sent[0]!.body))).toEqual({
    operation: "download",
    transfers: ["basic"],
    objects: [
      { oid, size: 5 },
      { oid: other, size: 5 },
    ],
    hash_algo: "sha256",
  });
});

test("an answer of another form or transfer is malformed, and an error without words has none", async () => {
  const form = { kind: "malformed", message: "GitHub's LFS server gave an answer of an unknown form." };
  for (const body of [{ objects: 5 }, { transfer: "tus", objects: [] }, { objects: [{ actions: {} }] }, []])
    await expect(ask(server("https://git.test/r.git", [answered(body)]).lfs)).rejects.toMatchObject(form);
  const broken = server("https://git.test/r.git", [new Response("{")]);
  await expect(ask(broken.lfs)).rejects.toMatchObject(form);
  const quiet = server("https://git.test/r.git", [
    answered({ objects: [{ oid, error: { code: 410, message: 7 } }] }),
  ]);
  expect(await ask(quiet.lfs)).toMatchObject([{ error: { code: 410, message: "" } }]);
});

test("a refused sign-in is renewed once", async () => {
  const refused: (string | undefined)[] = [];
  const authorization = async (value?: string) => {
    refused.push(value);
    return `token ${refused.length}`;
  };
  const denied = () => new Response("no", { status: 401 });
  const { lfs, asked } = server("https://git.test/r.git", [denied(), answered({ objects: [] })]);
  await ask({ ...lfs, remote: { ...lfs.remote, authorization } });
  expect(asked.map(({ headers }) => headers.get("authorization"))).toEqual(["token 1", "token 2"]);
  expect(refused).toEqual([undefined, "token 1"]);
  const twice = server("https://git.test/r.git", [denied(), denied(), answered({ objects: [] })]);
  await expect(ask({ ...twice.lfs, remote: { ...twice.lfs.remote, authorization } })).rejects.toMatchObject({
    kind: "unauthorized",
  });
  const anonymous = server("https://git.test/r.git", [denied()]);
  await expect(ask(anonymous.lfs)).rejects.toMatchObject({ kind: "unauthorized" });
  expect([twice.asked.length, anonymous.asked.length]).toEqual([2, 1]);
});

test.each([
  [507, "forbidden", "The owner's Git LFS storage at GitHub is used up (507)."],
  [509, "forbidden", "The owner's Git LFS bandwidth at GitHub is used up (509)."],
  [501, "unsupported", "GitHub does not offer Git LFS for this repository (501)."],
])("the status %i is %s: %s", async (status, kind, message) => {
  const { lfs } = server("https://git.test/r.git", [new Response("", { status })]);
  await expect(ask(lfs)).rejects.toMatchObject({ kind, message, status });
});

test("any other status is told with what was asked for", async () => {
  const statusOf = async (status: number) => {
    const { lfs } = server("https://git.test/r.git", [new Response("", { status })]);
    return await ask(lfs).catch((error: { kind: string; message: string }) => error);
  };
  expect(await statusOf(500)).toMatchObject({ kind: "unavailable" });
  expect(await statusOf(404)).toMatchObject({
    kind: "gone",
    message: expect.stringContaining("the files of Git LFS"),
  });
  // A success of another number is none.
  expect(await statusOf(202)).toHaveProperty("kind");
});

test("an answer of more than four megabytes is not read to its end", async () => {
  let isReleased = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(512 * 1024).fill(32)),
    cancel: () => {
      isReleased = true;
    },
  });
  const { lfs } = server("https://git.test/r.git", [new Response(endless)]);
  await expect(ask(lfs)).rejects.toMatchObject({
    kind: "malformed",
    message: "The LFS server's answer is too large.",
  });
  expect(isReleased).toBe(true);
  const padded = `${JSON.stringify({ objects: [] })}`.padEnd(4 * 1024 * 1024, " ");
  expect(await ask(server("https://git.test/r.git", [new Response(padded)]).lfs)).toHaveLength(1);
});

test("a server that cannot be reached is unavailable", async () => {
  const { lfs } = server("https://git.test/r.git", []);
  const fetch = async () => Promise.reject(new TypeError("no route"));
  await expect(ask({ ...lfs, remote: { ...lfs.remote, fetch } })).rejects.toMatchObject({
    kind: "unavailable",
    message: "GitHub's LFS server cannot be reached.",
  });
});

test("redirects of a download end, those to no address are refusals, and each is released", async () => {
  const released: number[] = [];
  const hop = (at: number, location = `/${at}`) =>
    new Response(new ReadableStream({ cancel: () => void released.push(at) }), {
      status: 302,
      headers: { location },
    });
  const circle = server("https://git.test/r.git", [hop(1), hop(2), hop(3), hop(4)]);
  await expect(openLfsDownload(circle.lfs, action("https://files.test/a"))).rejects.toMatchObject({
    kind: "malformed",
    message: "GitHub's LFS server redirects in circles.",
  });
  expect(released).toEqual([1, 2, 3, 4]);
  const enough = server("https://git.test/r.git", [hop(1), hop(2), hop(3), new Response("bytes")]);
  expect((await openLfsDownload(enough.lfs, action("https://files.test/a"))).kind).toBe("open");
  for (const answer of [redirect("https://"), new Response(null, { status: 304 }), redirect("/b", 400)]) {
    const lost = server("https://git.test/r.git", [answer]);
    expect(await openLfsDownload(lost.lfs, action("https://files.test/a"))).toEqual({
      kind: "refused",
      status: answer.status,
    });
  }
});

test.each([
  [400, "refused"],
  [404, "refused"],
  [408, "unavailable"],
  [429, "rate-limited"],
  [499, "refused"],
  [500, "unavailable"],
  [509, "forbidden"],
])("a download with the status %i is %s", async (status, outcome) => {
  const { lfs } = server("https://git.test/r.git", [new Response("no", { status })]);
  const open = openLfsDownload(lfs, action("https://files.test/a"));
  if (outcome === "refused") expect(await open).toEqual({ kind: "refused", status });
  else await expect(open).rejects.toMatchObject({ kind: outcome, status });
});
