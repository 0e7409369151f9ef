import { cutText } from "#connectors/toolkit/records/cut-text.ts";
import { descriptor } from "../descriptor.ts";

/** Characters that GitLab refuses in a project's name; it must begin with a letter, digit, emoji or underscore. */
const NAME_CHARACTERS = /[^\p{L}\p{N}\p{Emoji_Presentation}_.+\- ]+/gu;

/** The closest name that GitLab accepts. */
export function safeProjectName(name: string): string {
  const safe = name
    .trim()
    .replace(NAME_CHARACTERS, "-")
    .replace(/^[^\p{L}\p{N}\p{Emoji_Presentation}_]+/u, "");
  return cutText(safe, descriptor.limits.restoredNameLength) || "restored";
}

/** The path for a name: GitLab allows ASCII letters, digits and single separators. */
export function projectPath(name: string): string {
  const path = name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/([_.-])[_.-]+/g, "$1")
    .replace(/^[_.-]+|[_.-]+$/g, "")
    .replace(/(\.git|\.atom)+$/i, "");
  return path === "" ? "restored" : path;
}
