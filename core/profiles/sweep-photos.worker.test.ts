import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createPerson } from "#core/accounts/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { buildServices } from "#workers/services.ts";
import { addPhoto, sweepPhotos } from "./index.ts";

/** An image of one pixel. */
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const services = (aheadMs: number) => {
  const s = buildServices(env);
  return { ...s, clock: { now: () => s.clock.now() + aheadMs } };
};

async function withPhoto() {
  const s = services(0);
  const email = `p-${crypto.randomUUID().slice(0, 12)}@example.com`;
  const person = { email, name: "Ann", familyName: "Lee" };
  const { userId } = await createPerson(s, person);
  const { url } = await addPhoto(
    s,
    { userId, organisationId: "org_lee", name: "Ann Lee" },
    { dataUrl: PIXEL },
  );
  return { userId, key: `${userId}/${url.split("/").at(-1)}` };
}

const stands = async (key: string) => (await env.AVATARS.head(key)) !== null;

test("an unused photo is deleted after a day; a current one stays", async () => {
  const { userId, key } = await withPhoto();
  const left = [`${userId}/ava_old`, "removed/ava_1", "nobody"];
  for (const orphan of left) await env.AVATARS.put(orphan, "x");
  expect(await sweepPhotos(services(DAY_MS - 60_000))).toBe(0);
  expect(await Promise.all(left.map(stands))).toEqual([true, true, true]);
  expect(await sweepPhotos(services(DAY_MS + 60_000))).toBe(3);
  expect(await Promise.all(left.map(stands))).toEqual([false, false, false]);
  expect(await stands(key)).toBe(true);
  expect(await sweepPhotos(services(DAY_MS + 60_000))).toBe(0);
});

test("a sweep checks a limited number of photos, wraps at the end and checks none twice", async () => {
  const later = services(2 * DAY_MS);
  await sweepPhotos(later);
  const left = Array.from({ length: 7 }, (_, i) => `zz${i}/ava_x`);
  for (const orphan of left) await env.AVATARS.put(orphan, "x");
  expect(await sweepPhotos(later, { limit: 3, startAfter: "zz1" })).toBe(3);
  expect(await Promise.all(left.map(stands))).toEqual([true, false, false, false, true, true, true]);
  expect(await sweepPhotos(later, { limit: 100, startAfter: "zz5" })).toBe(4);
  expect(await Promise.all(left.map(stands))).toEqual(left.map(() => false));
});
