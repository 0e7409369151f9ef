import { siGithub, siGitlab, siJira, siNotion, siTrello } from "simple-icons";
import type { AppToProtect } from "#app/copy/auth.ts";

/** The marks of what can be ticked, those of platforms that come later included. */
const PATHS: Readonly<Record<AppToProtect, string>> = {
  github: siGithub.path,
  gitlab: siGitlab.path,
  trello: siTrello.path,
  jira: siJira.path,
  notion: siNotion.path,
};

/** An app's mark in one colour. */
export function AppMark({ app }: { app: AppToProtect }) {
  return (
    <span className="platform-mark" aria-hidden>
      <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
        <path d={PATHS[app]} />
      </svg>
    </span>
  );
}
