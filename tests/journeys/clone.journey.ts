import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { cloneLink, type LinkClaim } from "#core/exports/download-link.ts";
import { cloneFrom } from "#tests/harness/fingerprint.ts";
import { expect, test } from "./fixtures.ts";
import { atGithubNow, OWNER, protect } from "./repositories.ts";
import { linkSettings } from "./stack.ts";
import { connect, historyUrl } from "./steps.ts";

const DAY = 24 * 60 * 60 * 1000;

test("git clones the URL of a version; a forged or expired URL is refused", async ({
  page,
  person,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const name = `crane-plans-${randomUUID().slice(0, 4)}`;
  await connect(page);
  const item = await protect(person, name);
  const original = await atGithubNow(`${OWNER}/${name}`);
  await page.goto(historyUrl(item));
  await page.getByRole("button", { name: /^Clone,/ }).click();
  const dialog = page.getByRole("dialog", { name: `Clone ${name}` });
  const line = (await dialog.getByText(/^git clone /).textContent()) ?? "";
  await expect(dialog).toContainText(/Works for another (24 h|23 h 59 m), until/);
  await dialog.getByRole("button", { name: "Copy" }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(line);
  const url = line.replace(/^git clone /, "");
  expect(await cloneFrom(url)).toEqual(original);

  await test.step("an old client takes the files one by one", async () => {
    expect(await cloneFrom(url, { GIT_SMART_HTTP: "0" })).toEqual(original);
  });

  await test.step("a request that names many refs is compressed", async () => {
    const listed = await fetch(`${url}/info/refs?service=git-upload-pack`);
    expect(listed.headers.get("content-type")).toBe("application/x-git-upload-pack-advertisement");
    const [, oid = ""] = /([0-9a-f]{40}) refs\/heads\//.exec(await listed.text()) ?? [];
    const ask = (body: Buffer) =>
      fetch(`${url}/git-upload-pack`, {
        method: "POST",
        headers: { "Content-Encoding": "gzip" },
        body: new Uint8Array(body),
      });
    const pack = await ask(gzipSync(`0032want ${oid}\n00000009done\n`));
    expect(Buffer.from(await pack.arrayBuffer()).toString("latin1")).toMatch(/^0008NAK\nPACK/);
    expect((await ask(Buffer.from("no gzip"))).status).toBe(400);
  });

  await test.step("a forged URL", async () => {
    const { token, claim, signature } = partsOf(url);
    const forged = [
      `${token.slice(0, -6)}${flip(token.at(-6) ?? "")}${token.slice(-5)}`,
      `${encode({ ...claim, x: claim.x + DAY })}.${signature}`,
    ];
    for (const each of forged) await expectRefusal(url.replace(token, each), 403, "err.link.invalid");
  });

  await test.step("an expired URL, signed by the same key as a valid one", async () => {
    const { claim, name: served } = partsOf(url);
    await expectRefusal(
      await signed(claim, { until: Date.now() - 1000, name: served }),
      410,
      "err.link.expired",
    );
    expect(await cloneFrom(await signed(claim, { until: Date.now() + DAY, name: served }))).toEqual(original);
  });
});

/** Expects the same error from HTTP and from git. */
async function expectRefusal(url: string, status: number, code: string): Promise<void> {
  const answer = await fetch(`${url}/info/refs?service=git-upload-pack`);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ status: "failure", code, result: null });
  const asked = promisify(execFile)("git", ["ls-remote", url], {
    env: { ...process.env, GIT_TERMINAL_PROMPT: "0" },
  });
  await expect(asked).rejects.toThrow(`The requested URL returned error: ${status}`);
}

type Parts = { token: string; claim: LinkClaim; signature: string; name: string };

function partsOf(url: string): Parts {
  const [token = "", name = ""] = new URL(url).pathname.split("/").slice(2);
  const [body = "", signature = ""] = token.split(".");
  return {
    token,
    claim: JSON.parse(Buffer.from(body, "base64url").toString()) as LinkClaim,
    signature,
    name,
  };
}

function encode(claim: LinkClaim): string {
  return Buffer.from(JSON.stringify(claim)).toString("base64url");
}

function flip(letter: string): string {
  return letter === "A" ? "B" : "A";
}

/** The link with another expiry, signed as the product signs it, because no test can wait a day for the expiry. */
async function signed(claim: LinkClaim, order: { until: number; name: string }): Promise<string> {
  const settings = (await linkSettings()) as Parameters<typeof cloneLink>[0]["settings"];
  const deps = { settings, clock: { now: () => Date.now() } } as Parameters<typeof cloneLink>[0];
  return cloneLink(deps, {
    region: claim.r,
    snapshotId: claim.i,
    userId: claim.u,
    expiresAt: order.until,
    name: order.name,
  });
}
