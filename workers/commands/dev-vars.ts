import { randomBytes } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";

/** A variable that is added to `.dev.vars` when missing, and the comment above it. */
export type DevVar = { name: string; value: string; comment: string };

/**
 * Default variables of a development machine. Keys are random, so no two machines share one. They are never replaced,
 * because losing them loses the local vault.
 */
export function freshDevVars(): DevVar[] {
  const key = () => randomBytes(32).toString("base64url");
  return [
    {
      name: "MASTER_KEYS",
      value: `1:${key()}`,
      comment:
        "Keys that wrap every organisation's vault key, as version:base64url. Without them the vault is lost.",
    },
    { name: "LINK_KEYS", value: `1:${key()}`, comment: "Keys that sign download links." },
    { name: "AUTH_SECRET", value: key(), comment: "Signs mailed codes and known browsers." },
    { name: "MAIL_TOKEN", value: key(), comment: "What mail is sent to the inbox with." },
  ];
}

/** Parses the text of a `.dev.vars` file. Strips quotes around values, as wrangler does. */
export function readDevVars(text: string): Map<string, string> {
  const entries = text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const match = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line);
    if (!match?.[1]) return [];
    return [[match[1], (match[2] ?? "").replace(/^(["'])(.*)\1$/, "$2")]];
  });
  return new Map(entries);
}

/** Appends every missing variable. Existing lines, comments included, do not change. */
export function completeDevVars(text: string, wanted: readonly DevVar[]): string {
  const present = readDevVars(text);
  const missing = wanted.filter(({ name }) => !present.has(name));
  return addLines(
    text,
    missing.map(({ name, value, comment }) => `# ${comment}\n${name}=${value}\n`),
  );
}

/** Appends these variables to the text. */
export function appendVars(text: string, vars: Readonly<Record<string, string>>): string {
  return addLines(
    text,
    Object.entries(vars).map(([name, value]) => `${name}=${value}\n`),
  );
}

function addLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return start + lines.join("");
}

/** Writes a file with secrets. Only its owner may read it, even if an existing file had wider permissions. */
export function writePrivately(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
}

/** Formats variables as an env file. */
export function formatVars(vars: Readonly<Record<string, string>>): string {
  return Object.entries(vars)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
    .join("");
}
