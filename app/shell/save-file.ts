/** How long the download's object URL is kept, in ms. */
const KEPT_MS = 60_000;

/** Saves a file that the browser has made. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
