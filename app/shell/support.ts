import { openTab } from "#app/embedding/open-outside.ts";
import type { ShellView } from "./shell-view.ts";

/**
 * The target of the Support link: the help centre, or the contact page in restricted mode or without a help centre
 * (A-089, A-090).
 */
export function supportAddress({
  isRestricted,
  helpUrl,
}: Pick<ShellView, "isRestricted" | "helpUrl">): string {
  return isRestricted || helpUrl === "" ? "/contact" : helpUrl;
}

/** Opens Support: another site in a new tab, our own page in this tab. */
export function openSupport(
  shell: Pick<ShellView, "isRestricted" | "helpUrl">,
  navigate: (to: string) => void,
): void {
  const address = supportAddress(shell);
  if (address.startsWith("/")) navigate(address);
  else openTab(address);
}
