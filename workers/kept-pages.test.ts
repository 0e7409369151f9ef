import { expect, test } from "vitest";
import { createKeptPages } from "./kept-pages.ts";

const mark = (name: string) => ({ nonce: `nonce-of-${name}`, requestId: `id-of-${name}` });
const pageOf = (name: string) => `<script nonce="nonce-of-${name}"></script><p>id-of-${name}</p>`;

test("a kept page carries the marks of the answer that uses it", () => {
  const pages = createKeptPages();
  pages.keep("a", pageOf("one"), mark("one"), 0);
  expect(pages.find("a", mark("two"), 1)).toBe(pageOf("two"));
  expect(pages.find("b", mark("two"), 1)).toBeNull();
});

test("a page is kept for a minute from its reads", () => {
  const pages = createKeptPages();
  pages.keep("a", pageOf("one"), mark("one"), 1_000);
  expect(pages.find("a", mark("two"), 60_999)).not.toBeNull();
  expect(pages.find("a", mark("two"), 61_000)).toBeNull();
});

test("the oldest pages make room, and a very large page is not kept", () => {
  const pages = createKeptPages();
  for (let i = 0; i < 100; i++) pages.keep(`${i}`, "x".repeat(200_000), mark("one"), 0);
  const kept = Array.from({ length: 100 }, (_, i) => pages.find(`${i}`, mark("two"), 1) !== null);
  expect(kept.filter(Boolean).length).toBe(40);
  expect(kept.lastIndexOf(false)).toBe(59);
  pages.keep("large", "x".repeat(400_001), mark("one"), 0);
  expect(pages.find("large", mark("two"), 1)).toBeNull();
});
