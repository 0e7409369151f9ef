import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import type { OutsideWorld } from "#workers/commands/simulated-vars.ts";
import { startMailSimulator } from "./mail/mail-simulator.ts";
import { signInVars, startSimulators } from "./serve.ts";

const MAIL = {
  from: "Holdfast <hello@holdfast.example>",
  to: "nora@meridian.example",
  subject: "Confirm <your> address",
  html: '<p><a href="http://localhost:5173/confirm?code=1">Confirm</a></p>',
  text: "Confirm: http://localhost:5173/confirm?code=1&x=2",
  key: "confirm-1",
};

function send(url: string, body: unknown, token = "any"): Promise<Response> {
  return fetch(`${url}/send`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

test("the inbox stores a mail once per key and shows it with working links", async () => {
  const mail = await startMailSimulator();
  onTestFinished(() => mail.stop());
  const first = (await (await send(mail.url, MAIL)).json()) as { id: string };
  const second = (await (await send(mail.url, MAIL)).json()) as { id: string };
  expect(second.id).toBe(first.id);
  await send(mail.url, { ...MAIL, key: "confirm-2", to: ["ivo@meridian.example"] });
  const listed = (await (await fetch(`${mail.url}/messages?to=nora@meridian.example`)).json()) as {
    messages: object[];
  };
  expect(listed.messages).toMatchObject([{ id: first.id, subject: MAIL.subject, to: [MAIL.to] }]);
  expect(await (await fetch(mail.url)).text()).toContain("Confirm &lt;your&gt; address");
  const page = await (await fetch(`${mail.url}/messages/${first.id}`)).text();
  expect(page).toContain('<a href="http://localhost:5173/confirm?code=1&#38;x=2">');
  expect(page).toContain("srcdoc=");
  await fetch(`${mail.url}/messages`, { method: "DELETE" });
  expect(await (await fetch(`${mail.url}/messages`)).json()).toEqual({ messages: [] });
});

test("the inbox refuses mail without its token or fields", async () => {
  const mail = await startMailSimulator({ token: "right" });
  onTestFinished(() => mail.stop());
  expect((await send(mail.url, MAIL, "wrong")).status).toBe(401);
  expect((await send(mail.url, { to: "x" }, "right")).status).toBe(422);
  expect((await send(mail.url, MAIL, "right")).status).toBe(200);
});

test("all simulators start together on free ports and stop together", async () => {
  const simulators = await startSimulators({ seed: "people" });
  expect(Object.keys(simulators.platforms)).toEqual(
    expect.arrayContaining(["github", "gitlab", "jira", "trello"]),
  );
  for (const { url } of Object.values(simulators.platforms)) expect((await fetch(url)).status).toBe(200);
  expect((await fetch(simulators.mail.url)).status).toBe(200);
  const { s3, dropbox, googleDrive } = simulators.storages;
  expect((await fetch(dropbox.webUrl)).status).toBe(200);
  expect((await fetch(googleDrive.webUrl)).status).toBe(200);
  expect((await fetch(s3.url)).status).toBeLessThan(500);
  expect((await fetch(simulators.stripe.vars.STRIPE_JS_URL ?? "")).status).toBe(200);
  const vars = signInVars(simulators.oidc);
  for (const issuer of [vars.GOOGLE_ISSUER, vars.ENTERPRISE_ISSUER, vars.OKTA_ISSUER]) {
    const answer = await fetch(`${issuer}/.well-known/openid-configuration`);
    expect(await answer.json()).toMatchObject({ issuer });
  }
  await simulators.stop();
  await expect(fetch(simulators.mail.url)).rejects.toThrow();
});

test("the command prints its URLs in one line, keeps its folder and stops on SIGTERM", async () => {
  const dir = mkdtempSync(path.join(tmpdir(), "holdfast-test-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const run = async () => {
    const args = [
      "--import",
      "tsx",
      "tests/simulators/serve.ts",
      "--dir",
      dir,
      "--port",
      "0",
      "--seed",
      "people",
    ];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    return { child, addresses: JSON.parse(line) as OutsideWorld };
  };
  const first = await run();
  await send(first.addresses.mailUrl, MAIL);
  first.child.kill("SIGTERM");
  expect(await once(first.child, "exit")).toEqual([0, null]);
  const { okta, trello, googleDrive, stripe } = first.addresses.services;
  expect(okta).toMatchObject({ OKTA_DOMAIN: "northwind.example" });
  expect(Object.keys(okta ?? {}).every((name) => name.startsWith("OKTA_"))).toBe(true);
  expect(trello).toMatchObject({
    TRELLO_API_URL: expect.stringMatching(/\/1$/),
    TRELLO_API_KEY: expect.stringMatching(/./),
  });
  expect(stripe).toMatchObject({ STRIPE_SECRET_KEY: expect.stringMatching(/^sk_test_/) });
  expect(googleDrive).toHaveProperty("GOOGLE_DRIVE_CLIENT_ID");
  const second = await run();
  const kept = await (await fetch(`${second.addresses.mailUrl}/messages`)).json();
  expect(kept).toMatchObject({ messages: [{ subject: MAIL.subject }] });
  second.child.kill("SIGTERM");
  expect(await once(second.child, "exit")).toEqual([0, null]);
});
