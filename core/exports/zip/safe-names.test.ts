import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { planZip, zipRange } from "./layout.ts";
import { safeNames } from "./safe-names.ts";

const folder = mkdtempSync(join(tmpdir(), "holdfast-names-"));
afterAll(() => rmSync(folder, { recursive: true }));

const hostile = [
  "../x",
  "a/../../x",
  "..\\x",
  "/abs",
  "//host/share",
  "C:\\x",
  "C:x",
  "\\\\?\\C:\\x",
  "nul\0byte",
  "CON",
  "con.txt",
  "dir/Aux",
  "LPT1.log",
  "trailing.",
  "trailing ",
  " leading",
  "dir./file",
  "a//b",
  "./a",
  ".",
  "..",
  "/",
  "\u202etxt.exe",
  "caf\u00e9",
  "cafe\u0301",
  "Case",
  "case",
  "CASE",
  "file",
  "file/inside",
  "FILE/inside",
  "a\nb",
  "<script>.html",
  "star*?",
  "\u{1f468}\u200d\u{1f469}",
  `${"long".repeat(75)}.txt`,
  "n".repeat(1_000),
  `${"deep/".repeat(190)}end`,
  `${"ü".repeat(200)}.md`,
  "ok/plain.json",
  "ok/",
  "-rf",
  "~home",
  ".git/config",
];

function assertSafe(name: string): void {
  const bare = name.replace(/\/$/, "");
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(800);
  for (const segment of bare.split("/")) {
    expect(segment).not.toMatch(/^\.{0,2}$|[. ]$|^ |[<>:"|?*\\\p{Cc}\u202e]/u);
    expect(segment).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
    expect(Buffer.byteLength(segment)).toBeLessThanOrEqual(220);
  }
}

const fold = (name: string) => name.replace(/\/$/, "").normalize("NFC").toLowerCase();

test("hostile names become safe and unique and are listed with the originals", async () => {
  const { names, renamed } = await safeNames(hostile);
  for (const name of names) assertSafe(name);
  expect(new Set(names.map(fold)).size).toBe(hostile.length);
  expect(names[hostile.indexOf("ok/plain.json")]).toBe("ok/plain.json");
  expect(names[hostile.indexOf(".git/config")]).toBe(".git/config");
  const back = new Map(renamed.map(({ path, name }) => [name, path]));
  expect(names.map((name) => back.get(name) ?? name)).toEqual(hostile);
});

test("any list of paths maps to safe names that are unique on every file system", async () => {
  const unit = fc.constantFrom(
    "a",
    "A",
    "b",
    "/",
    ".",
    " ",
    "..",
    "\\",
    ":",
    "CON",
    "é",
    "e\u0301",
    "~",
    "\0",
    "_",
  );
  const path = fc.array(unit, { minLength: 1, maxLength: 6 }).map((units) => units.join(""));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(path, { maxLength: 25 }), async (paths) => {
      const { names } = await safeNames(paths);
      for (const name of names) assertSafe(name);
      const keys = names.map(fold);
      expect(new Set(keys).size).toBe(paths.length);
      const files = keys.filter((_, i) => !names[i]!.endsWith("/"));
      for (const file of files) expect(keys.some((key) => key.startsWith(`${file}/`))).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test("names that differ only by case, Unicode form or invisible characters stay unique in a folder", async () => {
  const pairs = [
    ["straße.md", "STRASSE.md"],
    ["straße.md", "STRAẞE.md"],
    ["strasse.md", "STRAẞE.md"],
    ["\u212aelvin", "kelvin"],
    ["\u017fharp", "Sharp"],
    ["\u0130", "i\u0307"],
    ["\u212bngström", "ångstro\u0308m"],
    ["ΟΔΟΣ", "οδος"],
    ["ΟΔΟς", "οδοσ"],
    ["o\ufb03ce", "OFFICE"],
    ["\u1fb3", "ΑΙ"],
    ["heart\u2764\ufe0f", "heart\u2764"],
    ["soft\u00adly", "softly"],
    ["non\u200cjoined", "nonjoined"],
  ];
  for (const [one, other] of pairs) {
    for (const paths of [
      [one!, other!],
      [other!, one!],
      [`${one}/inside`, other!],
      [`${other}/`, `deep/../${one}`, one!],
    ]) {
      const { names, renamed } = await safeNames(paths);
      expect(names.filter((name) => name === one || name === other).length, `${paths}`).toBeLessThan(2);
      expect(renamed.map(({ path }) => path)).toContain(paths.at(-1));
    }
  }
});

test("no two of our names are equal under Unicode's case folding", async (context) => {
  if (spawnSync("python3", ["--version"]).error) return context.skip("python3 is not installed");
  const program = `
import json, unicodedata
groups = {}
# Without ideographs and Hangul, which have no case, and what lies between.
for code in [*range(0x3400), *range(0xA000, 0xAC00), *range(0xE000, 0x20000), *range(0x2F800, 0x2FA20)]:
    key = unicodedata.normalize("NFD", unicodedata.normalize("NFD", chr(code)).casefold())
    groups.setdefault(key, {key})
    groups[key].add(chr(code))
print(json.dumps([sorted(group) for group in groups.values() if len(group) > 1]))`;
  const output = execFileSync("python3", ["-c", program], { maxBuffer: 2 ** 28 });
  const groups = JSON.parse(output.toString()) as string[][];
  expect(groups.length).toBeGreaterThan(2_000);
  const confused: string[][] = [];
  for (const group of groups) {
    const { renamed } = await safeNames(group);
    if (renamed.length < group.length - 1) confused.push(group);
  }
  expect(confused).toEqual([]);
});

test("unzip, Python and bsdtar unpack hostile names inside their folder without loss", async (context) => {
  const { names } = await safeNames(hostile);
  const plain = Buffer.from("inside");
  const layout = planZip(
    names.map((path) => {
      const size = path.endsWith("/") ? 0 : plain.length;
      return { path, method: 0, crc32: size ? crc32(plain) : 0, compressedSize: size, size, mtime: 0 };
    }),
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of zipRange(layout, { from: 0, to: layout.totalBytes }, () => [plain]))
    chunks.push(chunk);
  const archive = join(folder, "names.zip");
  writeFileSync(archive, Buffer.concat(chunks));
  const tools: [string, (to: string) => string[]][] = [
    ["unzip", (to) => ["-qq", archive, "-d", to]],
    ["python3", (to) => ["-m", "zipfile", "-e", archive, to]],
    ["bsdtar", (to) => ["-xf", archive, "-C", to]],
  ];
  const present = tools.filter(([tool]) => spawnSync(tool, ["--help"]).error === undefined);
  if (present.length === 0) return context.skip("neither unzip nor python3 nor bsdtar is installed");
  for (const [tool, args] of present) {
    const to = join(folder, tool, "jail");
    mkdirSync(to, { recursive: true });
    execFileSync(tool, args(to), { env: { ...process.env, LC_ALL: "C.UTF-8" } });
    expect(names.filter((name) => !existsSync(join(to, name)))).toEqual([]);
    expect(readdirSync(join(folder, tool))).toEqual(["jail"]);
  }
});
