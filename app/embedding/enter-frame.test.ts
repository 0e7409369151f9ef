import { expect, test } from "vitest";
import { enterFrame, type FrameSurroundings } from "./enter-frame.ts";
import { openOutside } from "./open-outside.ts";

const SHELL = "https://shell.example";
type Heard = Pick<MessageEvent, "data" | "origin" | "source">;

/** A frame whose parent answers with these messages. */
function frame(answers: (parent: object) => Heard[], more: Partial<FrameSurroundings> = {}) {
  const posted: [unknown, unknown][] = [];
  const exchanged: object[] = [];
  let listening = 0;
  let take: (event: Heard) => void = () => {};
  const parent = {
    postMessage: (message: unknown, target: unknown) => {
      posted.push([message, target]);
      for (const event of answers(parent)) queueMicrotask(() => take(event));
    },
  } as unknown as Window;
  const around: FrameSurroundings = {
    parent,
    listen: (next) => {
      take = next;
      listening++;
      return () => void listening--;
    },
    secret: () => "the secret",
    sha256Hex: async (text) => `hash of ${text}`,
    exchange: async (input) => {
      exchanged.push(input);
      return { next: "/" };
    },
    isKept: async () => true,
    ...more,
  };
  return { entered: enterFrame(around), posted, exchanged, listening: () => listening };
}

const code = (source: object, more: Partial<Heard> = {}): Heard => ({
  data: { type: "holdfast:code", code: "the code" },
  origin: SHELL,
  source: source as Window,
  ...more,
});

test("the page around is told only the challenge, and the server the code with secret and origin", async () => {
  const { entered, posted, exchanged, listening } = frame((parent) => [code(parent)]);
  expect(await entered).toEqual({ kind: "in", next: "/" });
  expect(posted).toEqual([[{ type: "holdfast:ready", challenge: "hash of the secret" }, "*"]]);
  expect(exchanged).toEqual([{ code: "the code", verifier: "the secret", origin: SHELL }]);
  expect(listening()).toBe(0);
});

test("messages of other windows and of other forms are not taken for a code", async () => {
  const { entered, exchanged } = frame((parent) => [
    code({}, { data: { type: "holdfast:code", code: "planted" } }),
    ...[
      null,
      "holdfast:code",
      7,
      { type: "other" },
      { type: "holdfast:code" },
      { type: "holdfast:code", code: 1 },
    ].map((data) => code(parent, { data })),
    code(parent),
    code(parent, { data: { type: "holdfast:code", code: "a second one" } }),
  ]);
  expect(await entered).toEqual({ kind: "in", next: "/" });
  expect(exchanged).toMatchObject([{ code: "the code" }]);
});

test("a refusal, a failed exchange and a browser without cookies each end in a page that says so", async () => {
  const refused = frame((parent) => [code(parent, { data: { type: "holdfast:refused" } })]);
  expect([await refused.entered, refused.exchanged]).toEqual([{ kind: "refused" }, []]);
  const failing = { exchange: () => Promise.reject(new Error("used")) };
  expect(await frame((parent) => [code(parent)], failing).entered).toEqual({ kind: "refused" });
  const forgetful = { isKept: async () => false };
  expect(await frame((parent) => [code(parent)], forgetful).entered).toEqual({ kind: "no-cookies" });
});

test("only the app's page is told which page to open in a tab", () => {
  const posted: unknown[] = [];
  const parent = { postMessage: (...message: unknown[]) => void posted.push(message) };
  openOutside(parent as unknown as Window, SHELL, "/settings?tab=2");
  expect(posted).toEqual([[{ type: "holdfast:open", path: "/settings?tab=2" }, SHELL]]);
});
