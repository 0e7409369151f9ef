import { expect, test } from "vitest";
import { fromBase64Url, fromUtf8, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import { QUOTE_MS, type Quote, readQuote, signQuote } from "./quote.ts";

const deps = { settings: { AUTH_SECRET: "a secret of more than thirty-two characters" } };
const NOW = Date.UTC(2026, 10, 3);
const quote: Quote = {
  organisationId: "org_1",
  platform: "github",
  from: { id: "sub_1", priceKey: "github.essential.month", quantity: 10 },
  priceKey: "github.pro.month",
  quantity: 50,
  prorationAt: NOW,
  dueCents: 3_600,
  expiresAt: NOW + QUOTE_MS,
};

test("a signed quote is read back within a quarter of an hour, and not after it", async () => {
  const text = await signQuote(deps, quote);
  expect(await readQuote(deps, text, NOW + QUOTE_MS - 1)).toEqual(quote);
  await expect(readQuote(deps, text, NOW + QUOTE_MS)).rejects.toMatchObject({ code: "err.payment.quote" });
});

test("a quote that was changed, signed with another secret or cut is refused", async () => {
  const text = await signQuote(deps, quote);
  const [body = "", mark = ""] = text.split(".");
  const cheaper = fromUtf8(fromBase64Url(body)).replace("3600", "0001");
  const other = { settings: { AUTH_SECRET: "another secret of thirty-two characters" } };
  const forged = [
    `${toBase64Url(utf8(cheaper))}.${mark}`,
    await signQuote(other, quote),
    body,
    `${body}.`,
    `.${mark}`,
    "",
    "a.b.c",
    `${body}.%%%`,
  ];
  for (const each of forged)
    await expect(readQuote(deps, each, NOW)).rejects.toMatchObject({ code: "err.payment.quote" });
});
