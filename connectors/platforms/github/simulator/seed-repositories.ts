import { createHash } from "node:crypto";
import { createNoise, type HistoryScript } from "#connectors/toolkit/simulator/history-script.ts";
import { lfsPointer } from "#connectors/toolkit/simulator/lfs-server.ts";
import { CREW, noisyBytes, ordinaryHistory, type Trunk } from "#connectors/toolkit/simulator/seed-prose.ts";

/** A repository of the demo and the script that writes its history. */
export type DemoRepository = {
  owner: string;
  name: string;
  description: string | null;
  visibility: "public" | "private";
  language: string | null;
  topics?: string[];
  /** `main` unless set. */
  defaultBranch?: string;
  write: (script: HistoryScript) => void;
  /** Commits of the wiki, each with the full text of its pages; absent = the wiki has no page. */
  wiki?: readonly Readonly<Record<string, string>>[];
  /** What its LFS server holds. */
  lfsFiles?: readonly Uint8Array[];
};

const ORG = "meridian-freight";
const NORA = "nora-lindqvist";
const IVO = "ivo-petrov";
/** A commit of another project, as a submodule refers to it. */
const FOREIGN_COMMIT = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Pictures stored outside git. */
const LFS_FILES = [noisyBytes(createNoise(48), 482_139), noisyBytes(createNoise(9), 91_204)] as const;

/** Fourteen repositories that together cover what makes repositories hard to back up. */
export const DEMO_REPOSITORIES: readonly DemoRepository[] = [
  {
    owner: ORG,
    name: "route-planner",
    description: "Plans lorry routes across ferries, borders and driving-time rules",
    visibility: "private",
    language: "TypeScript",
    topics: ["logistics", "routing"],
    wiki: [
      {
        Home: "# Route planner\n\nHow we plan a lorry's week.\n\n- [[Driving times]]\n- [[Ferries]]\n",
        "Driving-times": "# Driving times\n\nNine hours a day, ten twice a week (Regulation 561/2006).\n",
      },
      { Ferries: "# Ferries\n\nGothenburg-Kiel leaves at 18:45; check in 60 minutes before.\n" },
      {
        "Driving-times":
          "# Driving times\n\nNine hours a day, ten twice a week (Regulation 561/2006).\n\nA break of 45 minutes after 4.5 hours.\n",
      },
    ],
    write(script) {
      const trunk = ordinaryHistory(script, { seed: 11, commits: 320, folder: "src", extension: "ts" });
      releases(script, trunk);
      pullRequests(script, trunk, 6);
      script.notes(CREW[1], trunk.at(-1).at, [
        {
          mark: trunk.at(-1).mark,
          text: "Measured on the Malmö depot's data: 38 % fewer empty kilometres.\n",
        },
        { mark: trunk.at(-40).mark, text: "Reviewed-by: Ivo Petrov\n" },
      ]);
    },
  },
  {
    owner: ORG,
    name: "warehouse-api",
    description: "Stock, slots and pick lists over HTTP",
    visibility: "private",
    language: "Go",
    topics: ["api"],
    write(script) {
      const trunk = ordinaryHistory(script, { seed: 12, commits: 120, folder: "internal", extension: "go" });
      const ci =
        "name: check\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: go test ./...\n";
      trunk.add({
        message: "Run the tests on every push",
        files: [{ path: ".github/workflows/check.yml", content: ci }],
      });
      releases(script, trunk);
      pullRequests(script, trunk, 2);
    },
  },
  {
    owner: ORG,
    name: "customs-documents",
    description: "Scanned customs forms and the templates they are filled from",
    visibility: "private",
    language: null,
    write(script) {
      const trunk = ordinaryHistory(script, {
        seed: 13,
        commits: 12,
        more: 20,
        folder: "templates",
        extension: "md",
      });
      const noise = createNoise(1313);
      for (let index = 1; index <= 20; index += 1) {
        const scan = Buffer.concat([Buffer.from("%PDF-1.7\n"), noisyBytes(noise, 512 * 1024)]);
        trunk.add({
          message: `Add scan ${index}`,
          files: [{ path: `scans/2026/form-${index}.pdf`, content: scan }],
        });
      }
    },
  },
  {
    owner: ORG,
    name: "design-assets",
    description: "Brand, lorry liveries and icons (large files in LFS)",
    visibility: "private",
    language: null,
    lfsFiles: LFS_FILES,
    write(script) {
      const trunk = ordinaryHistory(script, { seed: 14, commits: 18, folder: "guides", extension: "md" });
      trunk.add({
        message: "Keep pictures in LFS",
        files: [
          { path: ".gitattributes", content: "*.psd filter=lfs diff=lfs merge=lfs -text\n" },
          { path: "livery/trailer.psd", content: pointerTo(LFS_FILES[0]) },
          { path: "livery/cab.psd", content: pointerTo(LFS_FILES[1]) },
        ],
      });
    },
  },
  {
    owner: ORG,
    name: "infrastructure",
    description: "Terraform for everything that runs",
    visibility: "private",
    language: "HCL",
    write(script) {
      const trunk = ordinaryHistory(script, { seed: 15, commits: 64, folder: "modules", extension: "tf" });
      trunk.add({
        message: "Vendor the network module as a submodule",
        files: [
          {
            path: ".gitmodules",
            content: '[submodule "vendor/network"]\n\tpath = vendor/network\n\turl = ../network.git\n',
          },
          { path: "vendor/network", content: FOREIGN_COMMIT, mode: "160000" },
          { path: "bin/plan", content: "#!/bin/sh\nexec terraform plan\n", mode: "100755" },
          { path: "current", content: "modules", mode: "120000" },
        ],
      });
    },
  },
  {
    owner: ORG,
    name: "handbook",
    description: "How we work: onboarding, on-call, travel — öppet för alla",
    visibility: "public",
    language: null,
    topics: ["handbook", "remote"],
    write(script) {
      const trunk = ordinaryHistory(script, { seed: 16, commits: 80, folder: "pages", extension: "md" });
      const names = [
        "översättning/svenska",
        "draft/a/b/c/d",
        "user@host",
        "release-2026.11",
        "#42-typo",
        "日本語",
        "x".repeat(120),
      ];
      for (const [index, name] of names.entries())
        script.ref(`refs/heads/${name}`, trunk.at(-2 - index).mark);
      trunk.add({
        message: "Add pages with hard names",
        files: [
          { path: 'pages/résumé "final".md', content: "Quotes, spaces and accents.\n" },
          { path: "pages/tab\\slash.md", content: "A backslash.\n" },
        ],
      });
    },
  },
  {
    owner: ORG,
    name: "empty-yard",
    description: "Reserved for the yard management rewrite",
    visibility: "private",
    language: null,
    write: () => undefined,
  },
  {
    owner: ORG,
    name: "driver-app",
    description: "Android app for drivers",
    visibility: "private",
    language: "Kotlin",
    defaultBranch: "trunk",
    write(script) {
      const trunk = ordinaryHistory(script, {
        seed: 18,
        commits: 150,
        folder: "app",
        extension: "kt",
        branch: "trunk",
      });
      releases(script, trunk);
      pullRequests(script, trunk, 3);
    },
  },
  {
    owner: ORG,
    name: "tracking-events",
    description: "Schemas of the events that trailers send",
    visibility: "public",
    language: "JSON",
    write: (script) =>
      void ordinaryHistory(script, { seed: 19, commits: 45, folder: "schemas", extension: "json" }),
  },
  {
    owner: NORA,
    name: "dotfiles",
    description: null,
    visibility: "private",
    language: "Shell",
    write: (script) =>
      void ordinaryHistory(script, { seed: 20, commits: 30, folder: "shell", extension: "sh" }),
  },
  {
    owner: NORA,
    name: "sourdough-log",
    description: "Flour, water, salt, and notes",
    visibility: "public",
    language: null,
    write: (script) =>
      void ordinaryHistory(script, { seed: 21, commits: 26, folder: "bakes", extension: "md" }),
  },
  {
    owner: NORA,
    name: "thesis",
    description: "Vehicle routing under uncertainty",
    visibility: "private",
    language: "TeX",
    write(script) {
      const trunk = ordinaryHistory(script, { seed: 22, commits: 90, folder: "chapters", extension: "tex" });
      script.tag("submitted", trunk.at(-5).mark, CREW[0], trunk.at(-5).at, "As handed in\n");
    },
  },
  {
    owner: IVO,
    name: "chess-engine",
    description: "A small alpha-beta engine",
    visibility: "public",
    language: "Rust",
    write: (script) =>
      void ordinaryHistory(script, { seed: 23, commits: 70, folder: "src", extension: "rs" }),
  },
  {
    owner: IVO,
    name: "telemetry-lab",
    description: "Experiments",
    visibility: "private",
    language: "Python",
    write: (script) =>
      void ordinaryHistory(script, { seed: 24, commits: 22, folder: "lab", extension: "py" }),
  },
];

/** Lightweight and annotated tags, and release branches. */
function releases(script: HistoryScript, trunk: Trunk): void {
  for (let minor = 1; minor <= 5; minor += 1) {
    const { mark, at } = trunk.at(-minor * 9);
    script.tag(`v1.${6 - minor}.0`, mark, CREW[0], at, `Version 1.${6 - minor}.0\n\nSee the changelog.\n`);
    script.ref(`refs/tags/nightly-${6 - minor}`, mark);
  }
  script.ref("refs/heads/release/1.5", trunk.at(-9).mark);
}

/** The refs that GitHub keeps for pull requests: the head, and a test merge that nobody can push. */
function pullRequests(script: HistoryScript, trunk: Trunk, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    const base = trunk.at(-number * 3);
    const author = CREW[number % CREW.length] ?? CREW[0];
    const head = script.commit({
      ref: `refs/pull/${number}/head`,
      from: base.mark,
      author,
      at: base.at + 600,
      message: `Propose change ${number}\n`,
      files: [{ path: `proposals/${number}.md`, content: `Proposal ${number}\n` }],
    });
    script.commit({
      ref: `refs/pull/${number}/merge`,
      from: trunk.at(-1).mark,
      merge: head,
      author,
      at: base.at + 900,
      message: `Merge ${number} into the default branch\n`,
      files: [{ path: `proposals/${number}.md`, content: `Proposal ${number}\n` }],
    });
  }
}

function pointerTo(bytes: Uint8Array): string {
  return lfsPointer(createHash("sha256").update(bytes).digest("hex"), bytes.length);
}
