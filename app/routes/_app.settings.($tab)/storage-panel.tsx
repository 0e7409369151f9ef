import { Cloud } from "lucide-react";
import { Button } from "#app/components/button.tsx";
import { storageCopy as copy } from "#app/copy/settings.ts";
import { Section } from "./section.tsx";

/** The kinds of storage of one's own, each with why it cannot be connected. */
export function StoragePanel() {
  return (
    <Section title={copy.title} text={copy.text}>
      <ul className="platform-lines storage-lines">
        {copy.kinds.map(({ id, name, text }) => (
          <li key={id}>
            <Cloud className="icon-l soft" aria-hidden />
            <span className="stack-tight">
              <span className="medium" id={`storage-${id}`}>
                {name}
              </span>
              <span className="meta">{text}</span>
            </span>
            <Button size="s" aria-describedby={`storage-${id}`} reason={copy.reason}>
              {copy.connect}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
