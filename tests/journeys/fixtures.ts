import { relative } from "node:path";
import { test as base, expect, type Page, type Response } from "@playwright/test";
import { keyOf } from "#tests/rotation/rotation.ts";
import { readWaiting } from "#tests/rotation/waiting.ts";
import { ROOT } from "#workers/commands/tools.ts";
import { createPerson, type JourneyPerson } from "./person.ts";
import { APP_URL } from "./stack.ts";

/** The server may close an idle connection at the moment in which it is used again. Playwright repeats only that. */
export const ONE_RETRY = { maxRetries: 1 };

type Fixtures = {
  /** A new account for this test, signed in in the page's browser. */
  person: JourneyPerson;
  /** Accepts browser errors that the test causes on purpose. */
  expectComplaint: (pattern: RegExp) => void;
  turn: undefined;
  watch: undefined;
};

const waiting = readWaiting();

/**
 * The journeys' test, which leaves out those whose turn it is not. No page may log an error in the console (a CSP violation, a failed script, an uncaught error).
 */
export const test = base.extend<Fixtures & { expected: RegExp[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: -- Playwright reads which fixtures are wanted from the pattern
  expected: async ({}, use) => use([]),
  expectComplaint: async ({ expected }, use) => use((pattern) => void expected.push(pattern)),
  turn: [
    // biome-ignore lint/correctness/noEmptyPattern: -- Playwright reads which fixtures are wanted from the pattern
    async ({}, use, info) => {
      const name = { file: relative(ROOT, info.file), title: info.title };
      info.skip(waiting.has(keyOf(name)), "It waits for its turn.");
      await use(undefined);
    },
    { auto: true },
  ],
  watch: [
    async ({ turn: _turn, context, expected }, use) => {
      const complaints: string[] = [];
      const refusals: Promise<string>[] = [];
      const watchPage = (page: Page) => {
        page.on("response", (answer) => {
          if (answer.status() >= 400) refusals.push(describeRefusal(answer));
        });
        page.on("console", (message) => {
          if (message.type() === "error" && page.url().startsWith(APP_URL))
            complaints.push(`${page.url()}: ${message.text()} (${message.location().url})`);
        });
        page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
      };
      context.on("page", watchPage);
      await use(undefined);
      const unexpected = complaints.filter((text) => !expected.some((pattern) => pattern.test(text)));
      expect(unexpected, (await Promise.all(refusals)).join("\n")).toEqual([]);
    },
    { auto: true },
  ],
  page: async ({ page }, use) => {
    const { goto, reload } = page;
    page.goto = async (...wanted) => whenAlive(page, await goto.apply(page, wanted));
    page.reload = async (...wanted) => whenAlive(page, await reload.apply(page, wanted));
    const fetch = page.request.fetch.bind(page.request);
    page.request.fetch = (to, options) => fetch(to, { ...ONE_RETRY, ...options });
    await use(page);
  },
  person: async ({ page }, use) => use(await createPerson(page)),
});

/** A refused request with the beginning of its answer, which the console's message lacks. */
async function describeRefusal(answer: Response): Promise<string> {
  const text = await answer.text().catch(() => "(its body is gone)");
  return `${answer.request().method()} ${answer.url()}: ${answer.status()} ${text.slice(0, 200)}`;
}

/**
 * Waits until an opened page handles events, so that journeys behave the same on every machine. `early.journey.ts`
 * covers actions before that.
 */
async function whenAlive<Answer>(page: Page, answer: Answer): Promise<Answer> {
  await page.waitForFunction(() => {
    if (!("__remixContext" in window)) return true;
    const touchable = [...document.querySelectorAll("body form, body button, body a")];
    return touchable.every((element) => Object.keys(element).some((key) => key.startsWith("__reactProps$")));
  });
  // Effects of the first render run in a later task. A message schedules one even while the clock is stopped.
  await page.evaluate(() =>
    new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(null);
    }).then(() => undefined),
  );
  return answer;
}

export { expect };
