import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import decompress from "@zxcvbn-ts/dictionary-compression/decompress";
import { dictionary as common } from "@zxcvbn-ts/language-common";
import { dictionary as english } from "@zxcvbn-ts/language-en";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { makeWordLists } from "#workers/commands/word-lists.ts";
import {
  changePasswordSchema,
  emailSchema,
  newPasswordSchema,
  OLD_PASSWORD_RULE,
  personNameSchema,
  signInSchema,
  signUpSchema,
  strongPasswordSchema,
} from "./password.schema.ts";
import {
  isStrongPassword,
  provideWordLists,
  strengthFrom,
  wordListsSchema,
} from "./password-strength.schema.ts";

const SPECIALS = [...'$!%*^"@'];

beforeAll(() => provideWordLists(async () => new Response(makeWordLists())));

const messageOf = (password: string) =>
  newPasswordSchema.safeParse(password).error?.issues.map((issue) => issue.message) ?? [];

test.each([
  ["Vq7$mRkT2z", []],
  ["Vq7$mRkT2", ["At least 10 characters, at most 50"]],
  [`Aa${"1$bcxqrt".repeat(6)}`, []],
  [`Aa${"1$bcxqrt".repeat(6)}z`, ["At least 10 characters, at most 50"]],
  ["blueriver7$kettle", ["At least one uppercase letter"]],
  ["BLUERIVER7$KETTLE", ["At least one lowercase letter"]],
  ["Blueriver$kettle", ["At least one digit"]],
  ["Blueriver7kettle", ['One special character: $ ! % * ^ " @']],
  ["Blueriver7$ kettle", ["No spaces"]],
  ["Blueriver7$#kettle", ["No other characters"]],
  ["Blueriver7$kettlé", ["No other characters"]],
])(
  "[A-313] [A-314] [A-319] [A-320] [A-321] the characters of the password %j give %j",
  (password, messages) => {
    expect(messageOf(password)).toEqual(messages);
  },
);

test("[A-322] [A-323] each of the seven special characters suffices, and no other is allowed", () => {
  for (const sign of SPECIALS) expect(messageOf(`Vq7mRkT2zLw${sign}`)).toEqual([]);
  for (let code = 33; code < 127; code++) {
    const sign = String.fromCharCode(code);
    if (/[A-Za-z0-9]/.test(sign) || SPECIALS.includes(sign)) continue;
    expect([sign, messageOf(`Vq7$mRkT2zLw${sign}`)]).toEqual([sign, ["No other characters"]]);
  }
});

test.each([
  "Sunshine1!A",
  "aaaaAAAA11!!",
  "Password123!",
  "P@ssw0rd2026",
  "Harbour7!Anchor^Rope",
  "Xq7!elttekVz",
  "ababABAB12!xk",
  "Qwerty7$zxk9",
])("a word, a repeat or a common password is refused: %j", async (password) => {
  expect(await isStrongPassword(password)).toBe(false);
});

test("[A-315] a word of any list is refused, within an otherwise strong password too", async () => {
  const lists: Record<string, string[]> = { ...common, ...english };
  const words = Object.values(lists).flatMap((list) => list.find((word) => /^[a-z]{5,}$/.test(word)) ?? []);
  expect(words.length).toBeGreaterThan(10);
  for (const word of words) {
    expect([word, await isStrongPassword(`Vq7$${word}Zk9`)]).toEqual([word, false]);
  }
});

test("[A-316] [A-317] a repeat and a common password are refused within a strong password too", async () => {
  for (const [refused, accepted] of [
    ["Vq7$zzzRk2w", "Vq7$zvzRk2w"],
    ["Vq7$xkxkRw2", "Vq7$xkvjRw2"],
    ["Vq7$trustno1Zk", "Vq7$trvqtnq1Zk"],
    ["Vq7$q1w2e3r4Zk", "Vq7$q1x8e3m4Zk"],
  ] as const) {
    expect([refused, await isStrongPassword(refused)]).toEqual([refused, false]);
    expect([accepted, await isStrongPassword(accepted)]).toEqual([accepted, true]);
  }
});

test("[A-318] the lowest score is refused", async () => {
  expect(await isStrongPassword("1a")).toBe(false);
});

test("the word lists are fetched once and arrive unchanged", async () => {
  const answers = [new Response("lost", { status: 404 }), new Response("{}"), new Response(makeWordLists())];
  const load = strengthFrom(async () => answers.shift() as Response);
  await expect(load()).rejects.toThrow("did not arrive: status 404");
  await expect(load()).rejects.toThrow();
  expect((await load())("Sunshine1!A")).toBe(false);
  expect((await load())("Vq7$mRkT2zLw")).toBe(true);
  const { dictionary } = wordListsSchema.parse(JSON.parse(makeWordLists()));
  const given: Record<string, string[]> = { ...common, ...english };
  const unpacked = Object.entries(dictionary).map(([name, list]) => [
    name,
    typeof list === "string" ? decompress(list) : list,
  ]);
  expect(Object.fromEntries(unpacked)).toEqual(given);
});

test("a person's own e-mail address is rejected as a password, in any case", async () => {
  expect(await isStrongPassword("Zqvorkm9!x")).toBe(true);
  expect(await isStrongPassword("Zqvorkm9!x", ["zqvorkm@example.com"])).toBe(false);
});

test("the server's schema checks a new password's characters and strength", async () => {
  const told = async (password: string) =>
    (await strongPasswordSchema.safeParseAsync(password)).error?.issues.map((issue) => issue.message) ?? [];
  expect(await told("Vq7$mRkT2zLw")).toEqual([]);
  expect(await told("Sunshine1!A")).toEqual(["No dictionary words, repeats or common passwords"]);
  expect(await told("Sunshine1 !A")).toEqual(["No spaces"]);
});

test("generated passwords pass, except the few that contain a word by chance", async () => {
  const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", ...SPECIALS];
  const made = fc.sample(
    fc.array(fc.constantFrom(...alphabet), { minLength: 16, maxLength: 16 }).map((signs) => signs.join("")),
    { numRuns: 60, seed: 20261121 },
  );
  let refused = 0;
  for (const password of made) if (!(await isStrongPassword(password))) refused += 1;
  expect(refused).toBeLessThan(10);
});

test("[A-329] eight characters, the minimum of an older rule, are rejected", () => {
  expect(messageOf("Vq7$mRkT")).toEqual(["At least 10 characters, at most 50"]);
});

test("[A-330] the sentence of the older rule is kept, and no screen has it", () => {
  expect(OLD_PASSWORD_RULE).toBe(
    "must contain at least 8 characters with lowercase, uppercase, number and special symbol",
  );
  const app = path.resolve(import.meta.dirname, "../../app");
  const files = readdirSync(app, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(files.length).toBeGreaterThan(100);
  const has = (name: string) =>
    /OLD_PASSWORD_RULE|at least 8 characters/i.test(readFileSync(path.join(app, name), "utf8"));
  expect(files.filter(has)).toEqual([]);
});

test("[A-325] [A-328] the old password may violate the current rules, up to 100 characters", async () => {
  const parse = (oldPassword: string) =>
    changePasswordSchema.safeParseAsync({ oldPassword, newPassword: "Vq7$mRkT2zLw" });
  expect((await parse("x".repeat(100))).success).toBe(true);
  expect((await parse("x".repeat(101))).success).toBe(false);
  expect((await parse("")).success).toBe(false);
  const spaced = { oldPassword: "x", newPassword: "Vq7$mRk T2zLw" };
  const refused = await changePasswordSchema.safeParseAsync(spaced);
  expect(refused.error?.issues.map(({ message }) => message)).toEqual(["No spaces"]);
});

test("[A-304] [A-305] sign-in accepts any password of at most 100 characters", () => {
  const messages = (password: string) =>
    signInSchema
      .safeParse({ email: "ann@example.com", password })
      .error?.issues.map((issue) => issue.message);
  expect(messages("x".repeat(100))).toBeUndefined();
  expect(messages("x".repeat(101))).toEqual(["max_length100"]);
  expect(messages("")).toEqual(["required"]);
});

test("[A-297] every schema limits an e-mail address to 50 characters", () => {
  const longest = `${"x".repeat(38)}@example.com`;
  expect(longest).toHaveLength(50);
  expect(emailSchema.safeParse(longest).success).toBe(true);
  expect(emailSchema.safeParse(`x${longest}`).error?.issues.map(({ message }) => message)).toEqual([
    "max_length50",
  ]);
});

test.each([
  ["Ann Example", undefined],
  ["Al", undefined],
  ["x".repeat(50), undefined],
  ["Ö", "Min length is 2"],
  ["x".repeat(51), "max_length50"],
  ["www.x", "no links"],
  ["Annwww", "no links"],
  ["http x", "no links"],
  ["Visit www.example", "no links"],
  ["Ann wwwide", "no links"],
  ["https://example", "no links"],
  ["evil.com", "no links"],
  ["Ann\u0000Example", "no links"],
])("[A-308] [A-309] [A-310] [A-311] [A-312] the name %j gives %j", (name, message) => {
  expect(personNameSchema.safeParse(name).error?.issues[0]?.message).toBe(message);
});

const names = { name: "Ann", familyName: "Example" };

test("addresses are trimmed and stored in lower case", async () => {
  const typed = { ...names, email: " Ann@Example.COM ", password: "Vq7$mRkT2zLw" };
  expect((await signUpSchema.parseAsync(typed)).email).toBe("ann@example.com");
});

test("unknown members are rejected, so nobody can sign up with a role", async () => {
  const body = { email: "ann@example.com", password: "x", role: "owner" };
  expect(signInSchema.safeParse(body).success).toBe(false);
  const account = { ...names, email: "ann@example.com", password: "Vq7$mRkT2zLw" };
  expect((await signUpSchema.safeParseAsync(account)).success).toBe(true);
  expect((await signUpSchema.safeParseAsync({ ...account, role: "owner" })).success).toBe(false);
});
