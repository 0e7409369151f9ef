import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { settingsSchema } from "#workers/env.ts";
import { completeDevVars, formatVars, freshDevVars, readDevVars, writePrivately } from "./dev-vars.ts";

test("an empty file gets every required setting except the URL", () => {
  const vars = Object.fromEntries(readDevVars(completeDevVars("", freshDevVars())));
  const settings = settingsSchema.parse({ ...vars, PUBLIC_URL: "http://localhost:8787" });
  expect(settings.MASTER_KEYS).toMatch(/^1:[\w-]{43}$/);
});

test("existing values stay, and completing twice changes nothing", () => {
  const mine = "# my app\nGITHUB_CLIENT_ID=abc\nAUTH_SECRET='keep-me-because-I-am-long-enough-for-it'";
  const once = completeDevVars(mine, freshDevVars());
  expect(once.startsWith(`${mine}\n`)).toBe(true);
  expect(readDevVars(once).get("AUTH_SECRET")).toBe("keep-me-because-I-am-long-enough-for-it");
  expect(completeDevVars(once, freshDevVars())).toBe(once);
});

test("two machines never get the same keys", () => {
  const [a, b] = [freshDevVars(), freshDevVars()];
  for (const name of ["MASTER_KEYS", "LINK_KEYS", "AUTH_SECRET", "MAIL_TOKEN"]) {
    const valueIn = (vars: typeof a) => vars.find((each) => each.name === name)?.value;
    expect(valueIn(a)).not.toBe(valueIn(b));
  }
});

test("comments and blank lines are no variables, and written values are read back", () => {
  expect(readDevVars("# A=1\n\n  B = two words \nexport C=3\nnot a line\n")).toEqual(
    new Map([
      ["B", "two words"],
      ["C", "3"],
    ]),
  );
  expect(readDevVars(formatVars({ URL: "http://127.0.0.1:1/?a=b#c" })).get("URL")).toBe(
    "http://127.0.0.1:1/?a=b#c",
  );
});

test("a file of secrets is readable only by its owner, even if it was not before", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "private-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, ".dev.vars");
  writeFileSync(file, "A=1\n", { mode: 0o644 });
  writePrivately(file, "A=1\nB=2\n");
  expect(readFileSync(file, "utf8")).toBe("A=1\nB=2\n");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
