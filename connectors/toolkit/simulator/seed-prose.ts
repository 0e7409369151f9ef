import {
  type Author,
  type CommitOrder,
  createNoise,
  type HistoryScript,
  type Noise,
} from "#connectors/toolkit/simulator/history-script.ts";

/** The committers of the demo. */
export const CREW: readonly [Author, Author, Author] = [
  { name: "Nora Lindqvist", email: "nora@meridian.example" },
  { name: "Ivo Petrov", email: "ivo@meridian.example" },
  { name: "Åsa Nyström", email: "asa@meridian.example" },
];

/** A commit on the trunk. */
export type TrunkCommit = { mark: number; at: number };

/** The main line of a history under construction. */
export type Trunk = {
  /**
   * The commit at an index; negative indexes count from the tip. Indexes before the beginning give the first commit.
   */
  at(index: number): TrunkCommit;
  /** Adds a commit on top. */
  add(order: Pick<CommitOrder, "message" | "files">): void;
};

const VERBS = ["Add", "Fix", "Simplify", "Speed up", "Document", "Test", "Rework", "Guard"];
const THINGS = [
  "ferry timetable",
  "border queue",
  "slot booking",
  "driver breaks",
  "fuel surcharge",
  "axle weights",
];
const WORDS =
  "route lorry depot ferry customs seal trailer slot driver border weight axle pallet manifest toll bridge hour break fuel".split(
    " ",
  );
/** The first commit of every history: 2024-02-05, a Monday. */
const BEGINNING = 1_707_123_600;
/** From there to autumn 2026, when the demo is set. */
const SPAN_SECONDS = 83_500_000;

/** Writes a plausible line of commits that add and change files below a folder. */
export function ordinaryHistory(
  script: HistoryScript,
  plan: {
    seed: number;
    commits: number;
    folder: string;
    extension: string;
    branch?: string;
    /** The number of commits to be added on top. */
    more?: number;
  },
): Trunk {
  const noise = createNoise(plan.seed);
  const ref = `refs/heads/${plan.branch ?? "main"}`;
  const commits: TrunkCommit[] = [];
  const pace = SPAN_SECONDS / (plan.commits + (plan.more ?? 1));
  const put = (order: Pick<CommitOrder, "message" | "files">) => {
    const at = (commits.at(-1)?.at ?? BEGINNING) + Math.floor((0.5 + noise()) * pace);
    const author = CREW[Math.floor(noise() * CREW.length)] ?? CREW[0];
    const mark = script.commit({ ref, author, at, from: commits.at(-1)?.mark, ...order });
    commits.push({ mark, at });
  };
  const thing = () => THINGS[Math.floor(noise() * THINGS.length)];
  put({
    message: "Begin\n",
    files: [{ path: "README.md", content: `# ${plan.folder}\n\n${sentences(noise, 6)}` }],
  });
  for (let index = 1; index < plan.commits; index += 1) {
    const verb = VERBS[Math.floor(noise() * VERBS.length)];
    const files = Array.from({ length: 1 + Math.floor(noise() * 3) }, () => ({
      path: `${plan.folder}/${WORDS[Math.floor(noise() * WORDS.length)]}/part-${Math.floor(noise() * 6)}.${plan.extension}`,
      content: sentences(noise, 10 + Math.floor(noise() * 60)),
    }));
    put({ message: `${verb} ${thing()}\n\n${sentences(noise, 2)}`, files });
  }
  const first = commits[0] as TrunkCommit;
  return { at: (index) => commits.at(index) ?? first, add: put };
}

/** Incompressible bytes, like those of scans. */
export function noisyBytes(noise: Noise, length: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(length / 4));
  for (let index = 0; index < words.length; index += 1) words[index] = Math.floor(noise() * 4_294_967_296);
  return new Uint8Array(words.buffer, 0, length);
}

function sentences(noise: Noise, count: number): string {
  const lines: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const length = 5 + Math.floor(noise() * 9);
    const words = Array.from({ length }, () => WORDS[Math.floor(noise() * WORDS.length)]);
    lines.push(words.join(" "));
  }
  return `${lines.join("\n")}\n`;
}
