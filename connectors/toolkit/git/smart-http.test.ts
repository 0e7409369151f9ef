import { expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { askGitServer, basicAuthorization, type GitRemote, type GitRequest } from "./smart-http.ts";
import { gitAnswer } from "./test-remote.ts";

const URL_OF = "https://git.test/r.git";
const LIST: GitRequest = { service: "git-upload-pack", version2: true };
const POST: GitRequest = { service: "git-receive-pack", version2: false, body: Buffer.from("commands") };

type Asked = { url: string; method: string; headers: Headers; init: RequestInit };

/** A remote that gives these answers in turn, and what it was asked. */
function remoteOf(
  answers: (Response | ((asked: Asked) => Promise<Response>))[],
  more: Partial<GitRemote> = {},
) {
  const asked: Asked[] = [];
  const fetch: GitRemote["fetch"] = async (url, init = {}) => {
    const request = { url, method: init.method ?? "", headers: new Headers(init.headers), init };
    asked.push(request);
    const answer = answers.shift()!;
    return answer instanceof Response ? answer : await answer(request);
  };
  return { asked, remote: { url: URL_OF, fetch, stallMs: 2_000, ...more } satisfies GitRemote };
}

const listAnswer = () => gitAnswer(Buffer.from("list"), "upload-pack-advertisement");
const redirect = (location: string | null, status = 301) =>
  new Response(null, { status, headers: location === null ? {} : { location } });

async function failure(work: Promise<unknown>): Promise<ConnectorError> {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(ConnectorError);
  return error as ConnectorError;
}

test("the advertisement is requested as git does, with the sign-in at once", async () => {
  const { asked, remote } = remoteOf([listAnswer()], { authorization: async () => "Basic x" });
  const reader = await askGitServer(remote, LIST);
  expect(Buffer.from((await reader.read())!).toString()).toBe("list");
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ url: `${URL_OF}/info/refs?service=git-upload-pack`, method: "GET" });
  expect(Object.fromEntries(asked[0]!.headers)).toEqual({
    accept: "application/x-git-upload-pack-advertisement",
    authorization: "Basic x",
    "git-protocol": "version=2",
    "user-agent": "git/holdfast-1",
  });
  expect(asked[0]!.init).toMatchObject({ redirect: "manual" });
  expect(asked[0]!.init).not.toHaveProperty("body");
});

test("a request with a body goes to the service; a streamed one is half duplex", async () => {
  const answers = [0, 1].map(() => gitAnswer(Buffer.from("report"), "receive-pack-result"));
  const { asked, remote } = remoteOf(answers);
  await askGitServer(remote, POST);
  expect(asked[0]).toMatchObject({ url: `${URL_OF}/git-receive-pack`, method: "POST" });
  expect(Object.fromEntries(asked[0]!.headers)).toEqual({
    accept: "application/x-git-receive-pack-result",
    "content-type": "application/x-git-receive-pack-request",
    "user-agent": "git/holdfast-1",
  });
  expect(asked[0]!.init.body).toBe(POST.body);
  expect(asked[0]!.init).not.toHaveProperty("duplex");
  await askGitServer(remote, { ...POST, body: new Blob(["x"]).stream() });
  expect(asked[1]!.init).toMatchObject({ duplex: "half" });
});

test("a refused sign-in is renewed once, and then given up", async () => {
  const refused: (string | undefined)[] = [];
  const authorization = async (value?: string) => {
    refused.push(value);
    return `token ${refused.length}`;
  };
  const { asked, remote } = remoteOf([new Response("no", { status: 401 }), listAnswer()], { authorization });
  await askGitServer(remote, LIST);
  expect(asked.map(({ headers }) => headers.get("authorization"))).toEqual(["token 1", "token 2"]);
  expect(refused).toEqual([undefined, "token 1"]);

  const twice = remoteOf(
    [401, 401].map((status) => new Response("no", { status })),
    { authorization },
  );
  expect(await failure(askGitServer(twice.remote, LIST))).toMatchObject({
    kind: "unauthorized",
    status: 401,
  });
  expect(twice.asked).toHaveLength(2);
  const anonymous = remoteOf([new Response("no", { status: 401 })]);
  expect((await failure(askGitServer(anonymous.remote, LIST))).kind).toBe("unauthorized");
  expect(anonymous.asked[0]!.headers.has("authorization")).toBe(false);
});

test("a streamed body cannot be sent twice, so a refused sign-in ends the attempt", async () => {
  const authorization = async () => "token";
  const { asked, remote } = remoteOf([new Response("no", { status: 401 })], { authorization });
  const error = await failure(askGitServer(remote, { ...POST, body: new Blob(["x"]).stream() }));
  expect(error).toMatchObject({ kind: "unavailable", status: 401 });
  expect(error.message).toBe("The git server does not accept our sign-in any more (401).");
  expect(asked).toHaveLength(1);
});

test("up to three redirects to the same service on the same host are followed", async () => {
  const list = (name: string) => `/${name}.git/info/refs?service=git-upload-pack`;
  const hops = [redirect(list("b")), redirect(list("c"), 302), redirect(list("d"), 308)];
  const { asked, remote } = remoteOf([...hops, listAnswer()]);
  await askGitServer(remote, LIST);
  expect(asked.map(({ url }) => new URL(url).pathname)).toEqual(
    ["r", "b", "c", "d"].map((name) => `/${name}.git/info/refs`),
  );
  const circle = remoteOf(["b", "c", "d", "e"].map((name) => redirect(list(name))));
  expect((await failure(askGitServer(circle.remote, LIST))).message).toBe(
    "The git server redirects in circles.",
  );
  expect(circle.asked).toHaveLength(4);
});

test.each<[string, GitRequest, string | null, RegExp]>([
  ["without a place", LIST, null, /to nowhere \(301\)/],
  ["to no address", LIST, "https://", /to nowhere \(301\)/],
  ["to another host", LIST, "https://evil.test/r.git/info/refs", /another host \(evil\.test\)/],
  ["to another scheme", LIST, "http://git.test/r.git/info/refs", /another host/],
  ["to a page", LIST, "/login", /away from git \(301\)/],
  ["to another service", POST, "/r.git/info/refs", /away from git \(301\)/],
  [
    "of a streamed body",
    { ...POST, body: new Blob(["x"]).stream() },
    "/s.git/git-receive-pack",
    /away from git \(301\)/,
  ],
])("a redirect %s is refused", async (_, request, location, words) => {
  const { asked, remote } = remoteOf([redirect(location)]);
  const error = await failure(askGitServer(remote, request));
  expect(error).toMatchObject({ kind: "malformed", message: expect.stringMatching(words), status: 301 });
  expect(asked).toHaveLength(1);
});

test("a request with a repeatable body follows the redirect of its service", async () => {
  const { asked, remote } = remoteOf([
    redirect("/s.git/git-receive-pack", 307),
    gitAnswer(Buffer.from("report"), "receive-pack-result"),
  ]);
  await askGitServer(remote, POST);
  expect(asked[1]).toMatchObject({ url: "https://git.test/s.git/git-receive-pack", method: "POST" });
});

test("of a refusal the first four kibibytes are read, and a body that breaks does not hide the status", async () => {
  const long = `${" ".repeat(4_090)}123456789`;
  const { remote } = remoteOf([new Response(long, { status: 500 })]);
  expect((await failure(askGitServer(remote, LIST))).message).toMatch(/ It said: 123456$/);
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.from("words ".repeat(500))),
  });
  const loud = remoteOf([new Response(endless, { status: 500 })]);
  expect((await failure(askGitServer(loud.remote, LIST))).message).toMatch(/ It said: words words /);
  let pulls = 0;
  const counted = {
    pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      pulls += 1;
      controller.enqueue(new Uint8Array(4_096).fill(0x61));
    },
  };
  const exact = remoteOf([new Response(new ReadableStream(counted, { highWaterMark: 0 }), { status: 500 })]);
  await failure(askGitServer(exact.remote, LIST));
  expect(pulls).toBe(1);
  let pieces = 0;
  const breaking = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (pieces++ > 0) controller.error(new Error("torn"));
      else controller.enqueue(Buffer.from("half a wo"));
    },
  });
  const broken = remoteOf([new Response(breaking, { status: 404 })]);
  expect(await failure(askGitServer(broken.remote, LIST))).toMatchObject({
    kind: "gone",
    message: "The git server does not know this repository (404). It said: half a wo",
  });
  const empty = remoteOf([new Response(null, { status: 500 })]);
  expect((await failure(askGitServer(empty.remote, LIST))).message).toMatch(/\(500\)\.$/);
});

test("only the service's own content type is read", async () => {
  const typed = (type: string | null, body: string | null = "x") =>
    remoteOf([new Response(body, { headers: type === null ? {} : { "content-type": type } })]).remote;
  const own = "application/x-git-upload-pack-advertisement";
  await askGitServer(typed(` ${own.toUpperCase()} ; charset=utf-8`), LIST);
  expect(await failure(askGitServer(typed("text/html; charset=utf-8"), LIST))).toMatchObject({
    kind: "unavailable",
    message: "The git server answered with a web page instead of git data.",
    status: 200,
  });
  expect(await failure(askGitServer(typed("application/x-git-upload-pack-result"), LIST))).toMatchObject({
    kind: "malformed",
    message:
      "The git server answered with the content type 'application/x-git-upload-pack-result' instead of git data.",
  });
  expect((await failure(askGitServer(typed(own, null), LIST))).message).toBe(
    "The git server gave an empty answer.",
  );
});

test("a server that cannot be reached is unavailable; a session's own error passes unchanged", async () => {
  const { remote } = remoteOf([() => Promise.reject(new TypeError("no route"))]);
  const error = await failure(askGitServer(remote, LIST));
  expect(error).toMatchObject({ kind: "unavailable", message: "The git server cannot be reached." });
  expect(error.cause).toBeInstanceOf(TypeError);
  const own = new ConnectorError("rate-limited", "wait");
  expect(await failure(askGitServer(remoteOf([() => Promise.reject(own)]).remote, LIST))).toBe(own);
});

test("a server that does not answer in time is left, its late answer is released, progress gives it more time", async () => {
  let isReleased = false;
  let aborted: AbortSignal | null | undefined;
  const late = () =>
    new ReadableStream<Uint8Array>({
      cancel: () => {
        isReleased = true;
      },
    });
  const slow = async ({ init }: Asked) => {
    aborted = init.signal;
    await new Promise((resolve) => setTimeout(resolve, 60));
    return new Response(late());
  };
  const { remote } = remoteOf([slow], { stallMs: 20 });
  expect((await failure(askGitServer(remote, LIST))).message).toBe("The git server sent nothing for 1 s.");
  expect(aborted?.aborted).toBe(true);
  await expect.poll(() => isReleased).toBe(true);

  const patient = remoteOf([slow, slow], { stallMs: 20 }).remote;
  const answer = { ...LIST, answerMs: 1_000 };
  await expect(askGitServer(patient, answer)).rejects.toMatchObject({ kind: "malformed" });
  const restarted = {
    ...LIST,
    onDeadline: (again: () => void) => {
      const timer = setInterval(again, 5);
      setTimeout(() => clearInterval(timer), 200);
    },
  };
  await expect(askGitServer(patient, restarted)).rejects.toMatchObject({ kind: "malformed" });
});

test("a sign-in is a user and a password in Base64", () => {
  expect(basicAuthorization("oauth2", "pässword")).toBe("Basic b2F1dGgyOnDDpHNzd29yZA==");
});
