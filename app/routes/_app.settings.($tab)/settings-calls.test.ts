import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const JOURNEY = path.join(import.meta.dirname, "../../../tests/journeys/settings.journey.ts");

/** The sources of the settings' screens, by file name. */
const sources = globSync("*.{ts,tsx}", { cwd: import.meta.dirname })
  .filter((name) => !/\.(?:test|server)\./.test(name))
  .map((name) => [name, readFileSync(path.join(import.meta.dirname, name), "utf8")] as const);

test("[A-447] every call of the settings goes through the error dialog, and the journey has each fail", () => {
  const direct = sources.filter(([, text]) => /\b(?:callApi|callPlatform|request)\(/.test(text));
  expect(direct.map(([name]) => name)).toEqual(["settings-context.tsx"]);
  const lines = sources.flatMap(([, text]) =>
    [...text.matchAll(/\b(?:ask|read)\("([A-Z]+ [^"]+)"/g)].map(([, line]) => line),
  );
  const failing = [...readFileSync(JOURNEY, "utf8").matchAll(/failsAt\("([A-Z]+) \/(?:api\/)?([^"]+)"/g)].map(
    ([, method, called]) => `${method} ${called}`,
  );
  // The ownership goes only to somebody who has joined: a journey of its own has it refused.
  expect([...new Set([...failing, "POST user/hand-over-ownership"])].sort()).toEqual(
    [...new Set(lines)].sort(),
  );
});
