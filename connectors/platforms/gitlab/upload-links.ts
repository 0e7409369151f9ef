/** A link of a text to an attached file: the part of its address that names it, and its name. */
export type UploadLink = { secret: string; filename: string };

/**
 * `/uploads/SECRET/NAME`, as GitLab writes it into Markdown (docs.gitlab.com: Markdown uploads API). Names have letters,
 * digits and a few signs, and a full stop after one ends a sentence.
 */
const LINK = String.raw`\/uploads\/([0-9a-f]{32})\/([\p{L}\p{M}\p{N}_.+%-]*[\p{L}\p{M}\p{N}_+%-])`;
/** What a link begins with has nothing before it that belongs to an address. */
const ALONE = String.raw`(?<![\w.~%/-])`;

/**
 * What may stand before `/uploads/…` in a link to a project's own file. A link to another project has something else.
 *
 * @param base The web site.
 */
export function uploadHomes(base: string, project: { id: string; fullName: string }): string[] {
  const own = [`/-/project/${project.id}`, `/${project.fullName}`];
  return [...own, ...own.map((path) => `${base}${path}`)];
}

/** The attached files of a project that a text links to, each once. */
export function uploadLinksOf(text: string | null | undefined, homes: readonly string[]): UploadLink[] {
  const found = new Map<string, UploadLink>();
  for (const [, secret = "", name = ""] of (text ?? "").matchAll(patternOf(homes))) {
    found.set(secret, { secret, filename: plainName(name) });
  }
  return [...found.values()];
}

/**
 * Rewrites the links of a text to the files of its own project.
 *
 * @param addressOf The new address; null = the link stays as it is.
 */
export function rewriteUploadLinks(
  text: string,
  homes: readonly string[],
  addressOf: (link: UploadLink) => string | null,
): string {
  return text.replace(
    patternOf(homes),
    (whole: string, secret: string, name: string) =>
      addressOf({ secret, filename: plainName(name) }) ?? whole,
  );
}

function patternOf(homes: readonly string[]): RegExp {
  const before = homes.map((home) => home.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return new RegExp(`${ALONE}(?:${before})?${LINK}`, "gu");
}

function plainName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
