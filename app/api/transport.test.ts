import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { errorText } from "./error-text.ts";
import { ApiError, listenToFailures, request } from "./transport.ts";

test("a successful call returns the result and the fields beside it", async () => {
  const seen: { url: string; init: RequestInit }[] = [];
  const answer = await request("user/get-items-backups", {
    method: "POST",
    query: { a: 1, b: null, c: undefined },
    body: { itemId: "itm_1" },
    fetch: answering({ status: "success", message: "ok", result: [1, 2], totalItemsNumber: 2 }, 200, seen),
  });
  expect(answer.result).toEqual([1, 2]);
  expect(answer.message).toBe("ok");
  expect(answer.beside).toMatchObject({ totalItemsNumber: 2 });
  expect(seen[0]?.url).toBe("/api/user/get-items-backups?a=1");
  expect(seen[0]?.init).toMatchObject({
    method: "POST",
    credentials: "same-origin",
    body: '{"itemId":"itm_1"}',
  });
});

test("the path may be the spec's or the registry's", async () => {
  const seen: { url: string; init: RequestInit }[] = [];
  const fetch = answering({ status: "success", result: null }, 200, seen);
  await request("/api/github/backup-now", { fetch });
  await request("github/backup-now", { fetch });
  expect(seen.map(({ url }) => url)).toEqual(["/api/github/backup-now", "/api/github/backup-now"]);
});

test("[A-362] identity calls go to the same origin beside /api, all others under it", async () => {
  const seen: { url: string; init: RequestInit }[] = [];
  const fetch = answering({ status: "success", result: null }, 200, seen);
  await request("identity/sign-in", { method: "POST", body: {}, fetch });
  await request("/identity/two-factor/check", { fetch });
  await request("user/get-user-start-info", { fetch });
  expect(seen.map(({ url }) => url)).toEqual([
    "/identity/sign-in",
    "/identity/two-factor/check",
    "/api/user/get-user-start-info",
  ]);
});

test("[A-362] no screen calls the server except through this module", () => {
  const app = path.join(import.meta.dirname, "..");
  const sources = globSync("**/*.{ts,tsx}", { cwd: app }).filter((name) => !name.includes(".test."));
  expect(sources.length).toBeGreaterThan(200);
  const calling = sources.filter((name) =>
    /(?<!\.)\bfetch\(|\?\? fetch\b|\b(?:window|globalThis|self)\.fetch\b|XMLHttpRequest|sendBeacon|EventSource/.test(
      readFileSync(path.join(app, name), "utf8"),
    ),
  );
  expect(calling).toEqual([path.join("api", "transport.ts")]);
});

test("failures reach the listener, except those of identity, quiet and aborted calls", async () => {
  drainFailures();
  const heard: string[] = [];
  const stop = listenToFailures(({ code }) => heard.push(code) > 0);
  const refusing = (code: string) => answering({ status: "failure", message: "No", code }, 401);
  await request("user/a", { fetch: refusing("loud") }).catch(() => null);
  await request("user/a", { fetch: refusing("quiet"), isQuiet: true }).catch(() => null);
  await request("identity/sign-in", { fetch: refusing("identity") }).catch(() => null);
  const controller = new AbortController();
  controller.abort();
  const broken: typeof fetch = () => Promise.reject(new TypeError("fetch failed"));
  await request("user/a", { fetch: broken, signal: controller.signal }).catch(() => null);
  stop();
  await request("user/a", { fetch: refusing("after") }).catch(() => null);
  expect(heard).toEqual(["loud"]);
});

test("a failure that the page shows is marked, so that the caller opens no second dialog", async () => {
  drainFailures();
  const failing = async (status: number, isQuiet = false) =>
    (await request("user/a", {
      fetch: answering({ status: "failure", message: "No", code: "err.internal" }, status),
      isQuiet,
    }).catch((error: unknown) => error)) as ApiError;
  const stop = listenToFailures(({ status }) => status >= 500);
  expect(
    [await failing(500), await failing(409), await failing(500, true)].map(({ isShown }) => isShown),
  ).toEqual([true, false, false]);
  stop();
});

test("a failure of the server counts as shown before there is a listener, which will show it", async () => {
  const failing = async (status: number, code: string) =>
    (await request("user/a", {
      fetch: answering({ status: "failure", message: "No", code }, status),
    }).catch((error: unknown) => error)) as ApiError;
  const failures = [
    await failing(500, "err.internal"),
    await failing(409, "err.internal"),
    await failing(503, "err.platform.limited"),
  ];
  expect(failures.map(({ isShown }) => isShown)).toEqual([true, false, false]);
});

test("a failure before there is a listener reaches the next one, once, and no more than a few are kept", async () => {
  drainFailures();
  const refusing = answering({ status: "failure", message: "No", code: "early" }, 500);
  for (let call = 0; call < 6; call += 1) await request("user/a", { fetch: refusing }).catch(() => null);
  const heard: string[] = [];
  listenToFailures(({ code }) => heard.push(code) > 0)();
  listenToFailures(({ code }) => heard.push(code) > 0)();
  expect(heard).toEqual(["early", "early", "early", "early"]);
});

test("an error response throws with the server's sentence, code and status", async () => {
  const call = request("github/backup-now", {
    fetch: answering(
      { status: "failure", message: "Too early", code: "err.user.backup.limit", result: { opensAt: 7 } },
      429,
    ),
  });
  const error = await call.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    message: "Too early",
    code: "err.user.backup.limit",
    status: 429,
    isWarning: false,
    details: { opensAt: 7 },
  });
});

test("[A-367] [A-368] [A-427] [A-441] a failure shows its message, or else the fallback", async () => {
  const failing = (message: string | null) => answering({ status: "failure", message }, 200);
  await expect(request("x", { fetch: failing("X.") })).rejects.toMatchObject({ message: "X" });
  const mismatch = request("x", { fetch: failing("Code mismatch") });
  await expect(mismatch).rejects.toMatchObject({ message: errorText("Code mismatch") });
  const fallback = "Error on data load. Try later";
  await expect(request("x", { fetch: failing(null) })).rejects.toMatchObject({ message: fallback });
  await expect(request("x", { fetch: failing("") })).rejects.toMatchObject({ message: fallback });
  await expect(request("x", { fetch: failing(null), fallback: "Other" })).rejects.toMatchObject({
    message: "Other",
  });
  const good = request("x", { fetch: answering({ status: "success", result: 1 }, 200) });
  await expect(good).resolves.toMatchObject({ result: 1 });
});

test("a warning is distinguished from an error", async () => {
  const call = request("x", { fetch: answering({ status: "warning", message: "Limit" }, 200) });
  await expect(call).rejects.toMatchObject({ isWarning: true, message: "Limit" });
});

test("a response without an envelope is an error", async () => {
  await expect(request("x", { fetch: answering("<html>", 502) })).rejects.toMatchObject({ status: 502 });
  const bare = request("x", { fetch: answering({ result: 1 }, 200) });
  await expect(bare).rejects.toBeInstanceOf(ApiError);
});

test("a success envelope with an error status is an error", async () => {
  await expect(
    request("x", { fetch: answering({ status: "success", result: 1 }, 500) }),
  ).rejects.toMatchObject({ status: 500 });
});

test("a lost connection is reported as such; an abort stays an abort", async () => {
  const broken: typeof fetch = () => Promise.reject(new TypeError("fetch failed"));
  await expect(request("x", { fetch: broken })).rejects.toMatchObject({ code: "err.network", status: 0 });
  const controller = new AbortController();
  controller.abort();
  await expect(request("x", { fetch: broken, signal: controller.signal })).rejects.toMatchObject({
    name: "AbortError",
  });
});

/** Hears the failures that other tests left: files of one worker share this module. */
function drainFailures() {
  listenToFailures(() => false)();
}

function answering(
  body: unknown,
  status: number,
  seen: { url: string; init: RequestInit }[] = [],
): typeof fetch {
  return async (url, init) => {
    seen.push({ url: String(url), init: init ?? {} });
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
  };
}
