import { Check } from "lucide-react";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { protectedAppsCopy as copy } from "#app/copy/auth.ts";
import { APPS_TO_PROTECT } from "./apps-to-protect.ts";

/** What is protected of each app, next to the form on wide screens. Selected apps are highlighted (spec A-141). */
export function ProtectedApps({ picked }: { picked: ReadonlySet<string> }) {
  return (
    <aside className="app-panel" aria-label={copy.title}>
      <h2>{copy.title}</h2>
      <ul>
        {APPS_TO_PROTECT.map(({ id, label, items }) => (
          <li key={id} className={picked.has(id) ? "is-chosen" : undefined}>
            <PlatformMark platform={id} />
            <span>
              <b className="medium">{label}</b>
              <br />
              <span className="meta">{items}</span>
            </span>
            {picked.has(id) && (
              <span className="ok-t">
                <Check aria-hidden />
                <span className="sr">{copy.chosen}</span>
              </span>
            )}
          </li>
        ))}
      </ul>
      <p className="meta">{copy.lead}</p>
    </aside>
  );
}
