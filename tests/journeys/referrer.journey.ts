import { randomUUID } from "node:crypto";
import { expect, test } from "./fixtures.ts";
import { APP_URL } from "./stack.ts";

test("resources loaded by a page receive only our origin as referrer, never a URL with a secret", async ({
  page,
  expectComplaint,
}) => {
  // The server rejects the content of these links, and the browser logs each rejection as an error.
  expectComplaint(/status of 4\d\d/);
  const secret = `canary${randomUUID().replaceAll("-", "")}`;
  const told: string[] = [];
  page.on("request", async (request) => {
    const { referer } = await request.allHeaders().catch(() => ({ referer: undefined }));
    if (referer !== undefined) told.push(referer);
  });
  for (const path of ["/invite", "/verify-email", "/subscribeToMail", `/nothing/${secret}`]) {
    await page.goto(`${path}?email=${secret}@journeys.example&code=${secret}&content=${secret}&iv=${secret}`);
    await page.waitForLoadState("networkidle");
  }
  expect(told.length).toBeGreaterThan(10);
  // A style sheet is the referrer of the fonts that it loads.
  const others = told.filter((referer) => !referer.startsWith(`${APP_URL}/assets/`));
  expect([...new Set(others)]).toEqual([`${APP_URL}/`]);
});
