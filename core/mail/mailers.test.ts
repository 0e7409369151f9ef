import { expect, test } from "vitest";
import { createBindingMailer, parseSender } from "./binding-mailer.ts";
import { createHttpMailer } from "./http-mailer.ts";
import { MailError } from "./mailer.ts";

const mail = {
  key: "mai_1",
  to: "ann@example.com",
  subject: "s",
  html: "h",
  text: "t",
  replyTo: "bo@example.com",
  headers: { "List-Unsubscribe": "<https://app.example.test/u>" },
};

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
])("a status %s of the mail service is permanent: %s", async (status, isPermanent) => {
  const fetch = async () => new Response(null, { status });
  const mailer = createHttpMailer({ url: "http://mail.test", token: undefined, from: "a@b.c", fetch });
  const error = await mailer.send(mail).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(MailError);
  expect((error as MailError).isPermanent).toBe(isPermanent);
});

test("the binding mailer splits the sender and treats failures as temporary", async () => {
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
      replyTo: "bo@example.com",
      headers: { "List-Unsubscribe": "<https://app.example.test/u>", "X-Entity-Ref-ID": "mai_1" },
    },
  ]);
  expect(parseSender("a@b.c")).toEqual({ name: "Holdfast", email: "a@b.c" });
  const broken = { send: async () => Promise.reject(new Error("E_RATE")) };
  const error = await createBindingMailer({ binding: broken, from: "a@b.c" })
    .send(mail)
    .catch((each: unknown) => each);
  expect((error as MailError).isPermanent).toBe(false);
});
