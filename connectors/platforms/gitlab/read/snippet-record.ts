import { z } from "zod";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { GitlabSnippet } from "../payloads.ts";

/** A snippet as a version stores it; its files are in its git data. */
export const snippetRecordSchema = z.object({
  id: z.string(),
  /** null = personal. */
  projectId: z.string().nullable(),
  fullName: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  visibility: z.enum(["private", "internal", "public"]),
  webUrl: z.string(),
  createdAt: z.string().nullable(),
  author: z.object({ id: z.number(), username: z.string(), name: z.string() }).nullable(),
  files: z.array(z.string()),
});
export type SnippetRecord = z.output<typeof snippetRecordSchema>;

/** The record of a snippet, without volatile fields. */
export function snippetRecord(snippet: GitlabSnippet): SnippetRecord & Json {
  const { author } = snippet;
  const files =
    snippet.files.length > 0 || snippet.file_name === null
      ? snippet.files.map(({ path }) => path)
      : [snippet.file_name];
  return {
    id: snippet.id,
    projectId: snippet.project_id,
    fullName: snippetName(snippet),
    title: snippet.title,
    description: snippet.description,
    visibility: snippet.visibility,
    webUrl: snippet.web_url,
    createdAt: snippet.created_at,
    author: author === null ? null : { id: author.id, username: author.username, name: author.name },
    files: files.sort(),
  };
}

/**
 * A snippet's path on the web site, also that of its git repository: `snippets/12` or `group/project/snippets/12`. The
 * project's path comes from the snippet's page.
 */
export function snippetName({
  id,
  project_id,
  web_url,
}: Pick<GitlabSnippet, "id" | "project_id" | "web_url">): string {
  if (project_id === null) return `snippets/${id}`;
  const path = new URL(web_url).pathname.replace(/^\/+/, "");
  const place = /^(.+?)(\/-)?\/snippets\/[0-9]+$/.exec(path)?.[1];
  return place === undefined ? `snippets/${id}` : `${decodeURIComponent(place)}/snippets/${id}`;
}

/**
 * Our id of a snippet: `12`, or `34:12` for a snippet of project 34, because the API reaches it only through its
 * project.
 */
export function snippetKey({ id, project_id }: Pick<GitlabSnippet, "id" | "project_id">): string {
  return project_id === null ? id : `${project_id}:${id}`;
}

/** The inverse of {@link snippetKey}. */
export function readSnippetKey(key: string): { projectId: string | null; id: string } {
  const [first = "", second] = key.split(":");
  return second === undefined ? { projectId: null, id: first } : { projectId: first, id: second };
}
