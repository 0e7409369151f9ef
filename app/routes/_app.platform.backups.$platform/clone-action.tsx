import { GitBranch } from "lucide-react";
import { Button } from "#app/components/button.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { cloneCopy as copy } from "#app/copy/history.ts";
import { CloneCommand } from "#app/history/clone-command.tsx";

export type CloneActionProps = {
  platform: string;
  itemId: string;
  name: string;
  snapshotId: string;
  version: string;
  timeZone: string;
  now: number;
  reason: string | null;
  /** A button with a word, where it belongs to a page instead of a row. */
  isWide?: boolean;
};

/** Clones a version with git: shows a signed `git clone` command for as long as it works. */
export function CloneAction(props: CloneActionProps) {
  const { name, version, reason, isWide } = props;
  return (
    <CloneCommand
      {...props}
      title={copy.title(name)}
      description={copy.description(version)}
      label={copy.label}
      command={(url) => `git clone ${url}`}
      trigger={(open) =>
        isWide ? (
          <Button aria-label={`${copy.action}, ${version}`} reason={reason} onClick={open}>
            <GitBranch aria-hidden />
            {copy.action}
          </Button>
        ) : (
          <IconButton label={`${copy.action}, ${version}`} reason={reason} onClick={open}>
            <GitBranch aria-hidden />
          </IconButton>
        )
      }
    />
  );
}
