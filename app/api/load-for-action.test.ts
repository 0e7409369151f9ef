import { expect, test } from "vitest";
import { loadForAction, SCRIPT_MISSING } from "./load-for-action.ts";
import { type ApiError, listenToFailures } from "./transport.ts";

test("a module that cannot be loaded is reported once, and loaded when it is needed again", async () => {
  const shown: ApiError[] = [];
  const stop = listenToFailures((failure) => shown.push(failure) > 0);
  // Failures of other tests may have waited for a listener.
  shown.length = 0;
  const answers = [Promise.reject(new Error("404")), Promise.resolve("module")];
  const wanted = loadForAction(() => answers.shift() ?? Promise.resolve("again"));
  const facts = { name: "ApiError", code: SCRIPT_MISSING, status: 0, isShown: true };
  const calls = [wanted(), wanted()];
  for (const call of calls) await expect(call).rejects.toMatchObject(facts);
  expect(shown).toHaveLength(1);
  expect(await wanted()).toBe("module");
  expect(await wanted()).toBe("module");
  expect(shown).toHaveLength(1);
  stop();
});
