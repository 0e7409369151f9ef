/** Deterministic random numbers in [0, 1): the same seed gives the same repository, byte for byte. */
export type Noise = () => number;

/** Mulberry32, a small generator with 32 bits of state. */
export function createNoise(seed: number): Noise {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Who wrote a commit. */
export type Author = { name: string; email: string };

/** One change of a commit. With `mode` 160000 the content is the hash of a submodule's commit. */
export type FileChange = {
  path: string;
  content: string | Uint8Array;
  mode?: "100644" | "100755" | "120000" | "160000";
};

/** One commit to write. */
export type CommitOrder = {
  ref: string;
  message: string;
  author: Author;
  /** Epoch seconds. */
  at: number;
  /** Mark of a commit in this script, or an existing ref. */
  from?: number | string;
  merge?: number;
  files?: readonly FileChange[];
  deleted?: readonly string[];
};

/** Collects a history in the format of `git fast-import`. */
export type HistoryScript = {
  /** Adds a commit and returns its mark. */
  commit(order: CommitOrder): number;
  /** Points a ref at a commit. */
  ref(name: string, mark: number): void;
  /** Adds an annotated tag. */
  tag(name: string, mark: number, author: Author, at: number, message: string): void;
  /** Adds a note to each commit, as one commit of `refs/notes/commits`. */
  notes(author: Author, at: number, notes: readonly { mark: number; text: string }[]): void;
  parts(): (string | Uint8Array)[];
};

/** Creates an empty script. */
export function createHistoryScript(): HistoryScript {
  const parts: (string | Uint8Array)[] = [];
  let mark = 0;
  const data = (content: string | Uint8Array) => {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    parts.push(`data ${bytes.length}\n`, bytes, "\n");
  };
  const person = (role: string, { name, email }: Author, at: number) =>
    parts.push(`${role} ${name} <${email}> ${at} +0100\n`);
  return {
    commit(order) {
      mark += 1;
      parts.push(`commit ${order.ref}\nmark :${mark}\n`);
      person("author", order.author, order.at);
      person("committer", order.author, order.at);
      data(order.message);
      if (order.from !== undefined) {
        parts.push(`from ${typeof order.from === "number" ? `:${order.from}` : `${order.from}^0`}\n`);
      }
      if (order.merge !== undefined) parts.push(`merge :${order.merge}\n`);
      for (const path of order.deleted ?? []) parts.push(`D ${quoted(path)}\n`);
      for (const file of order.files ?? []) {
        if (file.mode === "160000") parts.push(`M 160000 ${String(file.content)} ${quoted(file.path)}\n`);
        else {
          parts.push(`M ${file.mode ?? "100644"} inline ${quoted(file.path)}\n`);
          data(file.content);
        }
      }
      parts.push("\n");
      return mark;
    },
    ref(name, target) {
      parts.push(`reset ${name}\nfrom :${target}\n\n`);
    },
    tag(name, target, author, at, message) {
      parts.push(`tag ${name}\nfrom :${target}\n`);
      person("tagger", author, at);
      data(message);
    },
    notes(author, at, notes) {
      mark += 1;
      parts.push(`commit refs/notes/commits\nmark :${mark}\n`);
      person("committer", author, at);
      data("Notes added by 'git notes add'\n");
      for (const note of notes) {
        parts.push(`N inline :${note.mark}\n`);
        data(note.text);
      }
      parts.push("\n");
    },
    parts: () => parts,
  };
}

/** Quotes a path so that fast-import reads it back exactly, including line breaks. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
