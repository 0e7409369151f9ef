import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Dice, dice } from "#tests/harness/dice.ts";

/** One in so many files is an attachment. */
const ATTACHMENT_EVERY = 10;
/** One in so many files changes each day. */
const CHURN = 100;
const WORDS = "customs carrier harbour ledger pallet invoice route driver depot manifest delay tariff".split(
  " ",
);

/** A folder of documents and attachments that change from day to day. */
export type DocumentSeries = {
  folder: string;
  paths: readonly string[];
  /** Lets a day pass. @returns the paths of the files that changed */
  passDay: () => string[];
};

export const isAttachment = (path: string) => path.endsWith(".bin");

/** Makes the first day: nine of ten files are JSON as platforms send it, the rest is noise. Together about `bytes`. */
export function makeDocumentSeries(
  folder: string,
  { files, bytes }: { files: number; bytes: number },
): DocumentSeries {
  const roll = dice(files);
  const documentBytes = 4_096;
  const attachments = Math.ceil(files / ATTACHMENT_EVERY);
  const attachmentBytes = Math.max(
    1_024,
    Math.round((bytes - (files - attachments) * documentBytes) / attachments),
  );
  const paths = Array.from({ length: files }, (_, at) => {
    const name = String(at).padStart(6, "0");
    return `part-${at % 100}/${name}.${at % ATTACHMENT_EVERY === 0 ? "bin" : "json"}`;
  });
  const write = (path: string) =>
    writeFileSync(
      join(folder, path),
      isAttachment(path) ? randomBytes(attachmentBytes) : documentOf(roll, path, documentBytes),
    );
  for (let part = 0; part < 100; part++) mkdirSync(join(folder, `part-${part}`), { recursive: true });
  for (const path of paths) write(path);
  let day = 0;
  return {
    folder,
    paths,
    passDay() {
      day += 1;
      const changed = paths.filter((_, at) => (at * 7 + day) % CHURN === 0);
      for (const path of changed) {
        if (isAttachment(path)) write(path);
        else edit(join(folder, path), day);
      }
      return changed;
    },
  };
}

function documentOf(roll: Dice, path: string, bytes: number): string {
  const comments: { author: string; text: string }[] = [];
  let length = 0;
  while (length < bytes) {
    const text = Array.from({ length: 12 }, () => `${WORDS[roll(WORDS.length)]} ${roll(10_000)}`).join(" ");
    comments.push({ author: `person-${roll(40)}`, text });
    length += text.length + 40;
  }
  return JSON.stringify({ id: path, title: `About ${path}`, state: "open", comments });
}

/** A comment more, as most changes are. */
function edit(file: string, day: number): void {
  const document = JSON.parse(readFileSync(file, "utf8")) as { comments: { author: string; text: string }[] };
  document.comments.push({ author: `person-${day}`, text: `Changed on day ${day}` });
  writeFileSync(file, JSON.stringify(document));
}
