import { siNotion } from "simple-icons";
import { PlatformMark } from "./platform-mark.tsx";

/** Logos of announced platforms. */
const PATHS: Readonly<Record<string, string>> = { notion: siNotion.path };

/** An app's logo in one colour; announced platforms have one too. */
export function AppMark({ app }: { app: string }) {
  const path = PATHS[app];
  if (path === undefined) return <PlatformMark platform={app} />;
  return (
    <span className="platform-mark" aria-hidden>
      <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
        <path d={path} />
      </svg>
    </span>
  );
}
