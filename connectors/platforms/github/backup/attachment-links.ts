import type { ConnectorConfig } from "#connectors/contract/platform-connector.ts";
import { webBase } from "../client.ts";

/** A file attached to a text. */
export type AttachmentLink = {
  /** Unique at GitHub and safe in a path: the UUID of a picture or video, the number of any other file. */
  key: string;
  url: string;
  /** The original file name; null when the URL does not contain it. */
  name: string | null;
  /** Whether GitHub signs the URL for viewers who may see the repository. It signs pictures and videos only. */
  isSigned: boolean;
};

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
/** Host of pictures until 2023. Anyone with the URL can read them. */
const OLD_PICTURES = "https://user-images.githubusercontent.com";
const FILE_HOSTS = [
  /^[a-z0-9-]+\.githubusercontent\.com$/,
  /^github-production-[a-z0-9-]+\.s3\.amazonaws\.com$/,
];

/**
 * Returns the attached files that a text links to, each once. All other URLs are ignored: strangers write texts, and a
 * text must not make us fetch arbitrary URLs.
 */
export function attachmentLinks(config: ConnectorConfig, text: string | null | undefined): AttachmentLink[] {
  const base = webBase(config);
  const home = base.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const owner = "(?:user-attachments|[\\w.-]{1,100}/[\\w.-]{1,100})";
  const patterns = [
    new RegExp(`${home}/${owner}/assets/(?:\\d{1,20}/)?(?<uuid>${UUID})`, "gi"),
    new RegExp(`${home}/${owner}/files/(?<id>\\d{1,20})/(?<name>[^\\s"'<>()\\[\\]]{1,255})`, "g"),
    ...(base === "https://github.com"
      ? [
          new RegExp(
            `${OLD_PICTURES.replaceAll(".", "\\.")}/\\d{1,20}/\\d{1,20}-(?<uuid>${UUID})\\.(?<ending>\\w{1,5})`,
            "gi",
          ),
        ]
      : []),
  ];
  const found = new Map<string, AttachmentLink>();
  for (const pattern of patterns) {
    for (const match of (text ?? "").matchAll(pattern)) {
      const { uuid, id, name, ending } = match.groups ?? {};
      const key = (uuid ?? id ?? "").toLowerCase();
      const called = name === undefined ? (ending === undefined ? null : `${key}.${ending}`) : readable(name);
      const isSigned = uuid !== undefined && ending === undefined;
      if (!found.has(key)) found.set(key, { key, url: match[0], name: called, isSigned });
    }
  }
  return [...found.values()];
}

/** Whether a URL is on a host that stores GitHub's attached files. */
export function isFileHost(config: ConnectorConfig, url: URL): boolean {
  const base = new URL(webBase(config));
  if (url.protocol !== base.protocol || url.username !== "" || url.password !== "") return false;
  if (url.host === base.host) return true;
  if (base.host !== "github.com") return url.host.endsWith(`.${base.host}`);
  return url.port === "" && FILE_HOSTS.some((host) => host.test(url.hostname));
}

function readable(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
