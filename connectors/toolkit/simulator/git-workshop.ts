import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runGitProcess } from "./git-process.ts";

/** A temporary folder in which real git creates repositories with reproducible authors and dates. */
export type GitWorkshop = {
  folder: string;
  /** Runs git in a folder below the workshop and returns its output without the last line feed. */
  git: (at: string, args: readonly string[], options?: { input?: string | Uint8Array }) => string;
  /** Like `git`, but returns the raw output. */
  gitBytes: (at: string, args: readonly string[], options?: { input?: string | Uint8Array }) => Buffer;
  /** Writes a file below the workshop. */
  write: (path: string, content: string | Uint8Array) => void;
  /** Stages everything and commits. */
  commit: (at: string, message: string) => string;
  remove: () => void;
};

/** Opens a workshop; call `remove` when the test is over. */
export function openGitWorkshop(): GitWorkshop {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-git-"));
  let second = 1_700_000_000;
  const gitBytes: GitWorkshop["gitBytes"] = (at, args, options = {}) => {
    second += 1;
    const env = {
      PATH: process.env.PATH ?? "/usr/bin:/bin",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_TERMINAL_PROMPT: "0",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.test",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.test",
      GIT_AUTHOR_DATE: `${second} +0000`,
      GIT_COMMITTER_DATE: `${second} +0000`,
    };
    const order = { args: [...args], env, cwd: join(folder, at) };
    const { status, stdout, stderr } = runGitProcess(order, Buffer.from(options.input ?? ""));
    if (status !== 0) throw new Error(`git ${args.join(" ")} failed: ${stderr}`);
    return stdout;
  };
  const git: GitWorkshop["git"] = (at, args, options) =>
    gitBytes(at, args, options).toString().replace(/\n$/, "");
  return {
    folder,
    git,
    gitBytes,
    write(path, content) {
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
    },
    commit(at, message) {
      git(at, ["add", "-A"]);
      git(at, ["commit", "-q", "--allow-empty", "-m", message]);
      return git(at, ["rev-parse", "HEAD"]);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
