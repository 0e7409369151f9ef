import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { z } from "zod";
import { controlDatabase } from "#core/database/ledgers.ts";
import { openLink, sealLink, useLink } from "./index.ts";

const KEYS = "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const NOW = 1_760_000_000_000;
const at = (now: number) => ({ clock: { now: () => now }, settings: { LINK_KEYS: KEYS } });
const schema = z.object({ userId: z.string() });
const order = { purpose: "verify-email", payload: { userId: "u1" }, expiresAt: NOW + 1000 };

test("a sealed link is valid for its purpose until it expires", async () => {
  const link = await sealLink(at(NOW), order);
  const opened = await openLink(at(NOW), { purpose: "verify-email", schema, link });
  expect(opened.payload).toEqual({ userId: "u1" });
  const refused = { code: "err.link.purpose" };
  await expect(openLink(at(NOW + 1000), { purpose: "verify-email", schema, link })).rejects.toMatchObject(
    refused,
  );
  await expect(openLink(at(NOW), { purpose: "unsubscribe", schema, link })).rejects.toMatchObject(refused);
});

test("a modified link is invalid", async () => {
  const link = await sealLink(at(NOW), order);
  const refused = { code: "err.link.purpose" };
  for (let i = 0; i < link.content.length - 1; i++) {
    const content = `${link.content.slice(0, i)}${link.content[i] === "A" ? "B" : "A"}${link.content.slice(i + 1)}`;
    await expect(
      openLink(at(NOW), { purpose: "verify-email", schema, link: { ...link, content } }),
    ).rejects.toMatchObject(refused);
  }
  for (const iv of ["", "AAAA", link.content, "\u0000"]) {
    await expect(
      openLink(at(NOW), { purpose: "verify-email", schema, link: { ...link, iv } }),
    ).rejects.toMatchObject(refused);
  }
});

test("a link can be used once, even concurrently", async () => {
  const deps = { control: controlDatabase(env), ...at(NOW) };
  const { linkHash, expiresAt } = await openLink(deps, {
    purpose: "verify-email",
    schema,
    link: await sealLink(deps, order),
  });
  const uses = await Promise.all(
    [1, 2, 3].map(() => useLink(deps, { purpose: "verify-email", linkHash, expiresAt })),
  );
  expect(uses.filter(Boolean)).toHaveLength(1);
});
