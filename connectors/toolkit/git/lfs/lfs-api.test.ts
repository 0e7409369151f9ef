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
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });

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
    redirect("/b"),
    redirect("https://store.test/c"),
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
