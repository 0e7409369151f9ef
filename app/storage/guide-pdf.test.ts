import { expect, test } from "vitest";
import { storageUis } from "#connectors/registry/storage-descriptors.generated.ts";
import { guidePdf } from "./guide-pdf.ts";

const guides = Object.values(storageUis).flatMap(({ guide }) => guide ?? []);
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

/** The visible text: all drawn strings, line by line. */
const drawnIn = (file: string) =>
  [...file.matchAll(/\((.*)\) Tj ET/g)].map(([, text = ""]) => text.replace(/\\([\\()])/g, "$1"));

test("[P-129] the guide is a PDF with a valid cross-reference table and correct stream lengths", () => {
  expect(guides.length).toBeGreaterThan(0);
  for (const guide of guides) {
    const file = textOf(guidePdf(guide));
    expect(file.startsWith("%PDF-1.4\n")).toBe(true);
    expect(file.endsWith("%%EOF\n")).toBe(true);
    const start = Number(/startxref\n(\d+)\n/.exec(file)?.[1]);
    expect(file.slice(start, start + 5)).toBe("xref\n");
    const offsets = [...file.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) => Number(at));
    expect(offsets).toHaveLength(Number(/\/Size (\d+)/.exec(file)?.[1]) - 1);
    for (const [index, at] of offsets.entries()) {
      expect(file.slice(at).startsWith(`${index + 1} 0 obj\n`)).toBe(true);
    }
    const streams = [...file.matchAll(/\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/g)];
    expect(streams.length).toBe(Number(/\/Count (\d+)/.exec(file)?.[1]));
    for (const [, length, content] of streams) expect(content?.length).toBe(Number(length));
  }
});

test("the PDF has the guide's text in order and its code line by line", () => {
  for (const guide of guides) {
    const lines = drawnIn(textOf(guidePdf(guide)));
    const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
    const wanted = [
      guide.title,
      guide.text,
      ...guide.steps.map(
        (step, at) => `${at + 1}. ${step.title} ${step.text} ${"code" in step ? step.code : ""}`,
      ),
    ];
    expect(lines.flatMap(words)).toEqual(wanted.flatMap(words));
    for (const { code } of guide.steps) {
      if (code) expect(lines.join("\n")).toContain(code);
    }
  }
});

test("no line exceeds its page, long texts continue on the next one, and special characters are escaped", () => {
  const long = Array.from({ length: 900 }, (_, at) => `word${at}`).join(" ");
  const nasty = "a (bracket) \\ and ) alone, é, 漢";
  const steps = [{ title: nasty, text: long, code: '  {\n    "a": 1\n  }' }];
  const file = textOf(guidePdf({ title: "Long", text: "T", steps, fileName: "a.pdf" }));
  expect(Number(/\/Count (\d+)/.exec(file)?.[1])).toBeGreaterThan(1);
  for (const [, x, y] of file.matchAll(/Tf ([\d.]+) ([\d.]+) Td/g)) {
    expect(Number(x)).toBeGreaterThanOrEqual(62);
    expect(Number(y)).toBeGreaterThanOrEqual(62);
  }
  const lines = drawnIn(file);
  expect(lines).toContain("1.  a (bracket) \\ and ) alone, é, ?");
  expect(lines).toContain('    "a": 1');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(120);
});
