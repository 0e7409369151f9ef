import fc from "fast-check";
import { expect, test } from "vitest";
import { createBindingMailer, parseSender } from "./binding-mailer.ts";
import { createHttpMailer } from "./http-mailer.ts";
import { MailError } from "./mailer.ts";
import { contentOf } from "./messages/index.ts";
import { renderMail } from "./render-mail.tsx";

const renderMessage = (name: string, data: unknown) => renderMail(contentOf(name, data));

const at = Date.UTC(2026, 10, 3, 9);
const zip = {
  itemName: "api-gateway",
  takenAt: at,
  url: "https://app.example.test/d/1",
  expiresAt: at,
  timeZone: "UTC",
};
const restored = {
  itemName: "api-gateway",
  takenAt: at,
  restored: { name: "api-gateway_restored", url: "https://github.com/octo/api-gateway_restored" },
  errorText: null,
  changedCount: 2,
  impossibleCount: 0,
  historyUrl: "https://app.example.test/h",
  timeZone: "Europe/Berlin",
};

test("a ZIP e-mail tells item, version, end of the link and the link itself, in both forms", () => {
  const mail = renderMessage("zip-ready", zip);
  expect(mail.subject).toBe("Your download of api-gateway is ready");
  for (const form of [mail.html, mail.text]) {
    expect(form).toContain("https://app.example.test/d/1");
    expect(form).toContain("3 November 2026 at 09:00 (UTC)");
  }
});

test("a restore e-mail names the new item, or says why there is none", () => {
  expect(renderMessage("restore-finished", restored).text).toContain("Came back in another form: 2");
  expect(renderMessage("restore-finished", restored).text).toContain("10:00 (Europe/Berlin)");
  const failed = renderMessage("restore-finished", {
    ...restored,
    restored: null,
    errorText: "GitHub said no.",
  });
  expect(failed.subject).toBe("The restore of api-gateway failed");
  expect(failed.text).toContain("GitHub said no.");
});

test("a lost connection and a failed backup say what still works", () => {
  const lost = { platformLabel: "GitHub", accountName: "octo", reconnectUrl: "https://app.example.test/c" };
  expect(renderMessage("connection-lost", lost).text).toContain("kept and can be restored");
  const failed = {
    platformLabel: "GitHub",
    itemName: "api",
    failedAt: at,
    errorText: "No.",
    lastGoodAt: null,
  };
  const mail = renderMessage("backup-failed", {
    ...failed,
    historyUrl: "https://app.example.test/h",
    timeZone: "UTC",
  });
  expect(mail.text).toContain("Last good version: none yet");
});

test("no name from outside becomes markup or a second header line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (itemName) => {
      const mail = renderMessage("zip-ready", {
        ...zip,
        itemName: `<img src=x onerror=1>\r\nBcc: x${itemName}`,
      });
      expect(mail.html).not.toContain("<img");
      expect(mail.html.match(/<[a-z!]/g)).toEqual(renderMessage("zip-ready", zip).html.match(/<[a-z!]/g));
      expect(mail.subject).not.toMatch(/[\r\n]/);
    }),
  );
});

test("a link with another scheme than the web's is refused", () => {
  expect(() => renderMessage("zip-ready", { ...zip, url: "javascript:alert(1)" })).toThrow();
});

const mail = { key: "mai_1", to: "ann@example.com", subject: "s", html: "h", text: "t" };

test("the HTTP mailer posts sender, key and token", async () => {
  const calls: { url: string; init: RequestInit }[] = [];
  const mailer = createHttpMailer({
    url: "http://mail.test",
    token: "secret",
    from: "Holdfast <no-reply@example.test>",
    fetch: async (url, init) => {
      calls.push({ url, init });
      return new Response(null, { status: 202 });
    },
  });
  await mailer.send(mail);
  expect(calls[0]!.url).toBe("http://mail.test/send");
  expect(new Headers(calls[0]!.init.headers).get("Authorization")).toBe("Bearer secret");
  expect(JSON.parse(String(calls[0]!.init.body))).toEqual({
    from: "Holdfast <no-reply@example.test>",
    ...mail,
  });
});

test.each([
  [400, true],
  [422, true],
  [401, false],
  [408, false],
  [429, false],
  [500, false],
  [302, false],
])("an answer of %s from the mail service is permanent: %s", async (status, isPermanent) => {
  const fetch = async () => new Response(null, { status });
  const mailer = createHttpMailer({ url: "http://mail.test", token: undefined, from: "a@b.c", fetch });
  const error = await mailer.send(mail).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(MailError);
  expect((error as MailError).isPermanent).toBe(isPermanent);
});

test("the binding mailer splits the sender and turns failures into passing ones", async () => {
  const sent: unknown[] = [];
  await createBindingMailer({
    binding: { send: async (each) => sent.push(each) },
    from: "Hold Fast <a@b.c>",
  }).send(mail);
  expect(sent).toEqual([
    {
      from: { name: "Hold Fast", email: "a@b.c" },
      to: "ann@example.com",
      subject: "s",
      html: "h",
      text: "t",
      headers: { "X-Entity-Ref-ID": "mai_1" },
    },
  ]);
  expect(parseSender("a@b.c")).toEqual({ name: "Holdfast", email: "a@b.c" });
  const broken = { send: async () => Promise.reject(new Error("E_RATE")) };
  const error = await createBindingMailer({ binding: broken, from: "a@b.c" })
    .send(mail)
    .catch((each: unknown) => each);
  expect((error as MailError).isPermanent).toBe(false);
});
