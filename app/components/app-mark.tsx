import { siGithub, siGitlab, siJira, siNotion, siTrello } from "simple-icons";
import type { AppToProtect } from "#app/copy/auth.ts";

/** Logos of the selectable apps, including announced platforms. */
const PATHS: Readonly<Record<AppToProtect, string>> = {
  github: siGithub.path,
  gitlab: siGitlab.path,
  trello: siTrello.path,
  jira: siJira.path,
  notion: siNotion.path,
};

/** An app's logo in one colour. */
export function AppMark({ app }: { app: AppToProtect }) {
  return (
    <span className="platform-mark" aria-hidden>
      <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
        <path d={PATHS[app]} />
      </svg>
    </span>
  );
}
