import { expect, test } from "vitest";
import { randomBytes, toBase64Url } from "#core/kernel/crypto.ts";
import {
  createOrganisationKey,
  openSecret,
  parseMasterKeys,
  rewrap,
  sealSecret,
  unwrapOrganisationKey,
  wrapOrganisationKey,
} from "./keys.ts";

const one = toBase64Url(randomBytes(32));
const two = toBase64Url(randomBytes(32));
const organisationId = "org_a";

test("the newest master key wraps and every one unwraps", async () => {
  const old = parseMasterKeys(`1:${one}`);
  const both = parseMasterKeys(`1:${one}, 2:${two}`);
  const key = createOrganisationKey();
  const wrapped = await wrapOrganisationKey(old, { organisationId, key });
  expect(await unwrapOrganisationKey(both, { organisationId, wrappedKey: wrapped })).toEqual(key);
  const rotated = await rewrap(both, { organisationId, wrappedKey: wrapped });
  expect(rotated).toMatchObject({ version: 1, masterVersion: 2 });
  expect(await rewrap(both, { organisationId, wrappedKey: rotated })).toBe(rotated);
  const young = parseMasterKeys(`2:${two}`);
  expect(await unwrapOrganisationKey(young, { organisationId, wrappedKey: rotated })).toEqual(key);
  await expect(unwrapOrganisationKey(young, { organisationId, wrappedKey: wrapped })).rejects.toMatchObject({
    kind: "wrong-key",
  });
});

test("a wrapped key opens for its organisation and versions only", async () => {
  const ring = parseMasterKeys(`1:${one},2:${one}`);
  const wrappedKey = await wrapOrganisationKey(ring, { organisationId, key: createOrganisationKey() });
  for (const attempt of [
    { organisationId: "org_b", wrappedKey },
    { organisationId, wrappedKey: { ...wrappedKey, version: 2 } },
    { organisationId, wrappedKey: { ...wrappedKey, masterVersion: 1 } },
    { organisationId, wrappedKey: { ...wrappedKey, wrapped: wrappedKey.wrapped.slice(4) } },
  ]) {
    await expect(unwrapOrganisationKey(ring, attempt)).rejects.toMatchObject({ kind: "wrong-key" });
  }
});

test("malformed master keys are refused without printing them", () => {
  const short = toBase64Url(randomBytes(16));
  for (const text of ["", "1", `0:${one}`, `1:${short}`, `1:${one},1:${two}`, `a:${one}`, `1:${one},`]) {
    const attempt = () => parseMasterKeys(text);
    expect(attempt).toThrow(/MASTER_KEYS|master key/);
    expect(attempt).not.toThrow(one);
  }
});

test("a sealed secret opens only for its purpose and owner, and two seals differ", async () => {
  const key = createOrganisationKey();
  const use = { purpose: "access-token", ownerId: "con_a" };
  const sealed = await sealSecret(key, use, "gho_geheim ü");
  expect(sealed).toMatch(/^s1\.[A-Za-z0-9_-]+$/);
  expect(await sealSecret(key, use, "gho_geheim ü")).not.toBe(sealed);
  expect(await openSecret(key, use, sealed)).toBe("gho_geheim ü");
  const wrongKey = { kind: "wrong-key" };
  await expect(openSecret(key, { ...use, ownerId: "con_b" }, sealed)).rejects.toMatchObject(wrongKey);
  await expect(openSecret(key, { ...use, purpose: "refresh-token" }, sealed)).rejects.toMatchObject(wrongKey);
  await expect(openSecret(createOrganisationKey(), use, sealed)).rejects.toMatchObject(wrongKey);
  await expect(openSecret(key, use, "plain")).rejects.toMatchObject({ kind: "tampered" });
  await expect(openSecret(key, use, "s1.***")).rejects.toMatchObject({ kind: "tampered" });
});
