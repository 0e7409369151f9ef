import fc from "fast-check";
import { expect, test } from "vitest";
import { contentOf, type MessageName, messages } from "./messages/index.ts";
import { renderMail } from "./render-mail.tsx";
import { samples } from "./test-messages.ts";

const renderMessage = (name: string, data: unknown) => renderMail(contentOf(name, data));
const names = Object.keys(messages) as MessageName[];

/** The URLs of all links, as a mail program sees them. */
const linksOf = (html: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!.replaceAll("&amp;", "&"));

test.each(names)("%s has the same content in both forms: the text has every link", (name) => {
  const { html, text } = renderMessage(name, samples[name]);
  for (const link of linksOf(html)) expect(text).toContain(link);
  expect(text).not.toMatch(/<[a-z]/i);
});

test.each(names)("%s loads nothing and supports dark mode", (name) => {
  const { html } = renderMessage(name, samples[name]);
  expect(html).not.toMatch(/<(img|script|link|iframe|object|form|base)\b|src=|url\(|@import|\son\w+=/i);
  expect(html).toMatch(/<meta name="color-scheme" content="light dark"\/?>/);
  expect(html).toContain("prefers-color-scheme: dark");
  expect(html.startsWith("<!DOCTYPE html>")).toBe(true);
});

test.each(names)("%s has its own preview before the heading", (name) => {
  const { html } = renderMessage(name, samples[name]);
  const hidden = /<div style="display:none[^"]*"[^>]*>([^<]+)/.exec(html)?.[1];
  expect(hidden?.trim().length).toBeGreaterThan(10);
  expect(html.indexOf(hidden!)).toBeLessThan(html.indexOf("<h1"));
});

test.each(names)("external text cannot inject markup, headers or lines into %s", (name) => {
  // The preview, padded to a length, comes before the heading.
  const tags = (html: string) => html.slice(html.indexOf("<h1")).match(/<[a-z!/]+/gi);
  const plain = renderMessage(name, samples[name]);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), (noise) => {
      const hostile = `<img src=x onerror=1>"'&\r\nBcc: x@example.com\u2028${noise}`;
      const mail = renderMessage(
        name,
        mapTexts(samples[name], (text) => text + hostile),
      );
      expect(mail.subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect([...mail.subject].length).toBeLessThanOrEqual(200);
      expect(tags(mail.html)).toEqual(tags(plain.html));
      expect(mail.html).not.toMatch(/<img/i);
      for (const value of [mail.replyTo ?? "", ...Object.values(mail.headers ?? {})]) {
        expect(value).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }
      expect(mail.text).not.toMatch(/^Bcc:/m);
    }),
    { numRuns: 25 },
  );
});

/**
 * Changes every free single-line string. Strings restricted by a schema (URLs, kinds) cannot be chosen from outside.
 */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const isFixed = /url$|^(email|kind|frequency|shows|timeZone|question)$/i.test(key);
      if (typeof each === "string") return [key, isFixed ? each : change(each)];
      return [key, mapTexts(each, change)];
    }),
  );
}

test.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "mailto:a@b.c"])(
  "a link to %s is refused",
  (url) => {
    expect(() => renderMessage("verify-email", { url })).toThrow("no link to");
    const restored = { ...samples["restore-finished"], restored: { name: "x", url } };
    expect(() => renderMessage("restore-finished", restored)).toThrow("no link to");
  },
);

test("an unknown message is refused, including names of Object.prototype", () => {
  for (const name of ["other", "constructor", "__proto__", "toString"]) {
    expect(() => contentOf(name, {})).toThrow(TypeError);
  }
});

test("a ZIP e-mail names item, version and expiry of the link", () => {
  const mail = renderMessage("zip-ready", samples["zip-ready"]);
  expect(mail.subject).toBe("Your download of api-gateway is ready");
  for (const form of [mail.html, mail.text]) expect(form).toContain("3 November 2026 at 09:00 (UTC)");
});

test("a restore e-mail names the new item, or explains why there is none", () => {
  const restored = samples["restore-finished"];
  expect(renderMessage("restore-finished", restored).text).toContain("The restore is complete, with 2 notes");
  expect(renderMessage("restore-finished", restored).text).toContain("10:00 (Europe/Berlin)");
  expect(renderMessage("restore-finished", { ...restored, notes: 0 }).text).toMatch(
    /The restore is complete$/m,
  );
  const failed = renderMessage("restore-finished", {
    ...restored,
    restored: null,
    errorText: "GitHub said no.",
  });
  expect(failed.subject).toBe("The restore of api-gateway failed");
  expect(failed.text).toContain("GitHub said no.");
});

test("the e-mail of an incomplete restore says so in its subject and names what is missing", () => {
  const incomplete = {
    ...samples["restore-finished"],
    missing: 22,
    missingLines: [{ what: "main,\n release", reason: "GitHub said: declined." }],
  };
  const { text, subject } = renderMessage("restore-finished", incomplete);
  expect(subject).toBe("api-gateway was restored as api-gateway_restored, but not all of it");
  expect(text).toContain("The restore is incomplete");
  expect(text).not.toContain("is complete");
  expect(text).toMatch(/main, release\s+GitHub said: declined\./);
  expect(text).toContain("More, in the report of the history");
  expect(text).not.toMatch(/\b2[12]\b/);
  expect(renderMessage("restore-finished", { ...incomplete, missing: 1 }).text).not.toContain("More,");
  const unnamed = renderMessage("restore-finished", { ...incomplete, missingLines: [] }).text;
  expect(unnamed).toContain("The report in the history says what is missing.");
  expect(unnamed).not.toMatch(/\b22\b|declined/);
});

test("a restore e-mail of an older release is still sent", () => {
  const { missing: _missing, missingLines: _lines, notes: _notes, ...older } = samples["restore-finished"];
  const data = { ...older, changedCount: 2, impossibleCount: 0 };
  expect(renderMessage("restore-finished", data).subject).toContain("was restored as");
});

test("e-mails about a lost connection or a failed first backup say what exists and what is next", () => {
  expect(renderMessage("connection-lost", samples["connection-lost"]).text).toContain(
    "kept and can be restored",
  );
  const failed = samples["backup-failed"];
  expect(renderMessage("backup-failed", failed).text).toContain(
    "has no version yet. It is tried again at its next time.",
  );
  expect(renderMessage("backup-failed", { ...failed, isDaily: false }).text).toContain(
    "tried again when somebody starts a backup",
  );
});

test("codes are in the e-mail body and never where a locked screen shows them", () => {
  for (const [name, code] of [
    ["recovery-code", "K7QF-2M9X"],
    ["invitation", "ABCD-1234"],
  ] as const) {
    const mail = renderMessage(name, samples[name]);
    const content = contentOf(name, samples[name]);
    expect(mail.text).toContain(code);
    expect(mail.html).toContain(code);
    expect(`${mail.subject} ${content.preview}`).not.toContain(code);
  }
});

test("a security e-mail says what changed, when, and what to do", () => {
  const off = { ...samples["two-factor-changed"], isEnabled: false };
  expect(renderMessage("two-factor-changed", off).subject).toBe("Two-factor authentication was switched off");
  const changed = renderMessage("password-changed", samples["password-changed"]);
  expect(changed.text).toContain("3 November 2026 at 09:00 (UTC)");
  expect(changed.text).toContain("https://app.example.test/auth/recovery");
});

test("a contact request has the person's reply address and keeps the question's lines", () => {
  const mail = renderMessage("contact-request", samples["contact-request"]);
  expect(mail.replyTo).toBe("bo@example.com");
  expect(mail.text).toContain("Can I back up 2000 repositories?\n\nAnd what would it cost?");
  const hostile = { ...samples["contact-request"], question: "</p><script>alert(1)</script>\r\n\r\nBcc: x" };
  expect(renderMessage("contact-request", hostile).html).not.toContain("<script");
  expect(mail.text).toContain("nobody: name and address are not verified");
});

test("a report counts successes, partial successes and failures separately and lists failures with reasons", () => {
  const mail = renderMessage("report", samples.report);
  expect(mail.subject).toBe("Daily backup report: 13 succeeded, 1 partly, 2 failed");
  expect(mail.text).toContain("GitHub backups: 12 succeeded, 1 partly, 2 failed");
  expect(mail.text).toContain("GitHub restores: 1 succeeded, 0 failed");
  expect(mail.text).toContain(
    "- api (GitHub backup, 2 times)\n  GitHub did not answer.\n  https://app.example.test/platform/backups/github?id=itm_1",
  );
  expect(mail.text).toContain("1 backup of that time has not ended yet");
  expect(mail.text).toContain("3 more are listed in the history.");
  const onlyFailed = renderMessage("report", { ...samples.report, shows: "failed", frequency: "weekly" });
  expect(onlyFailed.subject).toBe("Weekly backup report: 1 partly, 2 failed");
  const onlyGood = renderMessage("report", { ...samples.report, shows: "succeeded" });
  expect(onlyGood.subject).toBe("Daily backup report: 13 succeeded, 1 partly");
});

test("a report can be stopped from its footer and by one click in the mail program", () => {
  const { headers, html, text } = renderMessage("report", samples.report);
  expect(headers).toEqual({
    "List-Unsubscribe": "<https://app.example.test/api/mail/unsubscribe?content=1.ab&iv=cd>",
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
  for (const form of [linksOf(html).join(" "), text]) expect(form).toContain(samples.report.unsubscribeUrl);
  expect(renderMessage("zip-ready", samples["zip-ready"]).headers).toBeUndefined();
});

test.each(["trial-ending", "removal-ahead"] as const)(
  "%s offers no checkout where a marketplace sells",
  (name) => {
    const { html, text } = renderMessage(name, { ...samples[name], checkoutUrl: null });
    expect(text).toContain("You buy the licence in the marketplace");
    expect(html).not.toContain("/checkout");
  },
);
