import type { ShellView } from "./shell-view.ts";

/** Where Support leads: the help centre, or the contact page in the restricted mode and without one. */
export function supportAddress({
  isRestricted,
  helpUrl,
}: Pick<ShellView, "isRestricted" | "helpUrl">): string {
  return isRestricted || helpUrl === "" ? "/contact" : helpUrl;
}

/** Opens Support: another site in a new tab, a page of ours here. */
export function openSupport(
  shell: Pick<ShellView, "isRestricted" | "helpUrl">,
  navigate: (to: string) => void,
): void {
  const address = supportAddress(shell);
  if (address.startsWith("/")) navigate(address);
  else window.open(address, "_blank", "noopener,noreferrer");
}
