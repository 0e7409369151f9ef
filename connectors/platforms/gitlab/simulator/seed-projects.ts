import { createHash } from "node:crypto";
import {
  createHistoryScript,
  createNoise,
  type HistoryScript,
} from "#connectors/toolkit/simulator/history-script.ts";
import { lfsPointer, storeLfsFile } from "#connectors/toolkit/simulator/lfs-server.ts";
import { importHistory, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { CREW, noisyBytes, ordinaryHistory } from "#connectors/toolkit/simulator/seed-prose.ts";
import { protectDefaultBranch } from "./git.ts";
import { lfsDirectory } from "./lfs.ts";
import { codeDirectory, createProject } from "./projects.ts";
import type { Cast } from "./seed-people.ts";
import { seedRecords } from "./seed-records.ts";
import { seedSnippets } from "./seed-snippets.ts";
import type { GitlabWorld, Project } from "./state.ts";

const BOOT_BYTES = noisyBytes(createNoise(71), 96_017);
/** A firmware image that is stored in Git LFS. */
const BOOT_IMAGE = { bytes: BOOT_BYTES, oid: createHash("sha256").update(BOOT_BYTES).digest("hex") };

/** One project of the demo; `write` writes its history. */
type Plan = Pick<Project, "namespaceId" | "path" | "name"> &
  Partial<Project> & { branch?: string; write: (script: HistoryScript) => void };

/** Creates the demo's projects with their content. */
export async function seedProjects(world: GitlabWorld, cast: Cast): Promise<void> {
  for (const [index, { write, branch, ...plan }] of plansOf(cast).entries()) {
    const day = String(index + 2).padStart(2, "0");
    const project = createProject(world, {
      creatorId: cast.nora.id,
      createdAt: `2024-02-${day}T09:30:00.000Z`,
      updatedAt: `2026-11-${day}T16:20:00.000Z`,
      lastActivityAt: `2026-11-${day}T16:20:00.000Z`,
      ...plan,
    });
    const directory = codeDirectory(world, project);
    const script = createHistoryScript();
    write(script);
    if (script.parts().length > 0) await importHistory(directory, script.parts());
    if (branch) runGit(directory, ["symbolic-ref", "HEAD", `refs/heads/${branch}`]);
    protectDefaultBranch(world, project);
    if (plan.path === "crane") storeLfsFile(lfsDirectory(world, project), BOOT_IMAGE.bytes);
    await seedRecords(world, cast, project);
  }
  await seedSnippets(world, cast);
}

function plansOf(cast: Cast): Plan[] {
  return [...norasPlans(cast), ...freightPlans(cast), ...harbourPlans(cast)];
}

function norasPlans({ nora }: Cast): Plan[] {
  return [
    {
      namespaceId: nora.namespaceId,
      path: "route-planner",
      name: "Route Planner",
      description: "Ferries, borders and breaks in one timetable",
      topics: ["routing", "typescript"],
      write: (script) => {
        const trunk = ordinaryHistory(script, { seed: 61, commits: 60, folder: "src", extension: "ts" });
        sideBranches(script, trunk.at(-4));
        script.tag("v1.0.0", trunk.at(20).mark, CREW[0], trunk.at(20).at + 60, "First release\n");
        script.ref("refs/tags/v1.1.0-rc.1", trunk.at(40).mark);
        script.tag("v1.1.0", trunk.at(50).mark, CREW[1], trunk.at(50).at + 60, "Break rules\n");
      },
    },
    {
      namespaceId: nora.namespaceId,
      path: "dotfiles",
      name: "dotfiles 🚚",
      visibility: "public",
      description: null,
      branch: "trunk/größe",
      write: (script) => {
        const plan = { seed: 62, commits: 9, folder: "home", extension: "conf", branch: "trunk/größe" };
        const trunk = ordinaryHistory(script, plan);
        const files = ['sp ace/qu"ote.txt', "naïve/日本語.md", "-leading-dash", "CON.txt", "a\u0301.txt"];
        trunk.add({
          message: "Keep ugly names\n",
          files: files.map((path) => ({ path, content: `${path}\n` })),
        });
      },
    },
  ];
}

function freightPlans({ freight, docks }: Cast): Plan[] {
  return [
    {
      namespaceId: freight.id,
      path: "customs-api",
      name: "Customs API",
      description: "Declarations in, seals out",
      topics: ["customs", "api"],
      write: (script) => {
        const trunk = ordinaryHistory(script, { seed: 63, commits: 90, folder: "api", extension: "rb" });
        sideBranches(script, trunk.at(-6));
        script.tag("v2.4.0", trunk.at(70).mark, CREW[2], trunk.at(70).at + 60, "Seals\n");
      },
    },
    {
      namespaceId: freight.id,
      path: "handbook",
      name: "Handbook",
      visibility: "internal",
      description: "How we work",
      write: (script) => {
        ordinaryHistory(script, { seed: 64, commits: 25, folder: "docs", extension: "md" });
      },
    },
    {
      namespaceId: docks.id,
      path: "slot_booking.v2",
      name: "Slot Booking (v2)",
      description: "Which lorry stands where, and when",
      write: (script) => {
        const trunk = ordinaryHistory(script, { seed: 65, commits: 40, folder: "lib", extension: "py" });
        sideBranches(script, trunk.at(-3));
      },
    },
    {
      namespaceId: docks.id,
      path: "empty-yard",
      name: "Empty Yard",
      description: "Nothing yet",
      write: () => undefined,
    },
  ];
}

function harbourPlans({ harbour }: Cast): Plan[] {
  return [
    {
      namespaceId: harbour.id,
      path: "crane",
      name: "Crane",
      visibility: "public",
      description: "Firmware of the eastern crane",
      topics: ["firmware", "c"],
      write: (script) => {
        const trunk = ordinaryHistory(script, { seed: 66, commits: 50, folder: "firmware", extension: "c" });
        const attributes = { path: ".gitattributes", content: "*.hex filter=lfs diff=lfs merge=lfs -text\n" };
        const pointer = {
          path: "images/boot.hex",
          content: lfsPointer(BOOT_IMAGE.oid, BOOT_IMAGE.bytes.length),
        };
        trunk.add({ message: "Keep images in LFS\n", files: [attributes, pointer] });
        script.tag("2026.10", trunk.at(45).mark, CREW[1], trunk.at(45).at + 60, "October\n");
      },
    },
    {
      namespaceId: harbour.id,
      path: "legacy-winch",
      name: "Legacy Winch",
      isArchived: true,
      write: (script) => {
        ordinaryHistory(script, {
          seed: 67,
          commits: 15,
          folder: "winch",
          extension: "pas",
          branch: "master",
        });
      },
      branch: "master",
    },
  ];
}

/** Two branches that merge requests come from. */
function sideBranches(script: HistoryScript, from: { mark: number; at: number }): void {
  for (const [index, name] of ["feature/night-slots", "fix-umlauts-ü"].entries()) {
    script.commit({
      ref: `refs/heads/${name}`,
      author: CREW[index % CREW.length] ?? CREW[0],
      at: from.at + 3_600 * (index + 1),
      message: `Work on ${name}\n`,
      from: from.mark,
      files: [{ path: `work/${index}.md`, content: `# ${name}\n\nNot done yet.\n` }],
    });
  }
}
