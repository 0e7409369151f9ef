/** Hosts of Notion's own pages (recorded answers use `app.notion.com`, older links `notion.so`). */
const HOSTS = new Set(["notion.so", "www.notion.so", "app.notion.com", "notion.com", "www.notion.com"]);
const ID_LENGTH = 32;

/** The address of a page, row or database by its id. It opens the thing for everybody who may see it. */
export function pageUrl(id: string): string {
  return `https://app.notion.com/p/${id.replaceAll("-", "")}`;
}

/**
 * The id of the page or database that a link names; null = the link leads elsewhere. Notion writes links inside the
 * workspace as a path alone: `/` and the id, perhaps after a title.
 */
export function linkedId(url: string): string | null {
  const path = pathOf(url);
  if (path === null) return null;
  const last = path.slice(path.lastIndexOf("/") + 1).replaceAll("-", "");
  const id = last.slice(-ID_LENGTH).toLowerCase();
  if (id.length !== ID_LENGTH || !isHex(id)) return null;
  return [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join("-");
}

function pathOf(url: string): string | null {
  if (url.startsWith("/")) return cut(url);
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, pathname } = new URL(url);
  return (protocol === "https:" || protocol === "http:") && HOSTS.has(hostname) ? pathname : null;
}

function cut(path: string): string {
  const end = path.search(/[?#]/);
  return end < 0 ? path : path.slice(0, end);
}

function isHex(text: string): boolean {
  return /^[0-9a-f]+$/.test(text);
}
