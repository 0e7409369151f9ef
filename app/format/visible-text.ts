/**
 * Invisible characters that change how text is displayed: control characters, bidirectional overrides, zero-width
 * joiners.
 */
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: -- this matches control characters
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

/**
 * Makes invisible characters in foreign text visible, so that a name cannot be disguised: `invoice⟨202E⟩fdp.exe`
 * instead of a name that seems to end with `.pdf`.
 */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(STEERING, (letter) => `⟨${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/** The same for text that must stay on one line. */
export function visibleName(name: string): string {
  return visibleText(name).replace(/\n/g, "⟨000A⟩").replace(/\t/g, "⟨0009⟩");
}
