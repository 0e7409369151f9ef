import { expect, test } from "vitest";
import { parseMasterKeys } from "./keys.ts";
import { openUnderMaster, sealUnderMaster } from "./master-seal.ts";

const FIRST = "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const SECOND = `${FIRST},2:_wECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8`;
const secret = { purpose: "mail", ownerId: "mai_1" };

test("a secret opens again, also with a newer master key present", async () => {
  const text = "Grüße, correct horse battery";
  const sealed = await sealUnderMaster(parseMasterKeys(FIRST), secret, text);
  expect(sealed).not.toContain("correct horse");
  expect(sealed).not.toContain(Buffer.from(text).toString("base64url").slice(0, 12));
  expect(await openUnderMaster(parseMasterKeys(SECOND), secret, sealed)).toBe(text);
  expect(await sealUnderMaster(parseMasterKeys(SECOND), secret, "x")).toMatch(/^m1\.2\./);
});

test("another purpose, another owner, damage or a lost master key fails to open", async () => {
  const ring = parseMasterKeys(SECOND);
  const sealed = await sealUnderMaster(ring, secret, "x");
  await expect(openUnderMaster(ring, { ...secret, purpose: "link" }, sealed)).rejects.toThrow();
  await expect(openUnderMaster(ring, { ...secret, ownerId: "mai_2" }, sealed)).rejects.toThrow();
  await expect(openUnderMaster(ring, secret, sealed.replace("m1.2.", "m1.1."))).rejects.toThrow();
  await expect(openUnderMaster(ring, secret, `${sealed.slice(0, -4)}AAAA`)).rejects.toThrow();
  await expect(openUnderMaster(ring, secret, "s1.x")).rejects.toThrow();
  await expect(openUnderMaster(parseMasterKeys(FIRST), secret, sealed)).rejects.toThrow();
});
