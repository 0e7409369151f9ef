import { textDocument } from "./adf.ts";
import { addComment, addWorklog, attachFile } from "./issue-parts.ts";
import { createIssue } from "./issues.ts";
import { typeNamed } from "./projects.ts";
import type { Issue, JiraWorld, Project, Site } from "./state.ts";

/** How many of each; comments, worklogs and attachments are spread over the issues. */
export type GenerateOrder = Record<
  "issues" | "comments" | "worklogs" | "attachments" | "attachmentBytes",
  number
>;

/** Fills a project with many issues, for tests of size. */
export function generateIssues(
  world: JiraWorld,
  site: Site,
  project: Project,
  order: GenerateOrder,
): Issue[] {
  const type = typeNamed(site, project);
  const by = project.leadId;
  const begun = Date.now() - order.issues * 1_000;
  const made = Array.from({ length: order.issues }, (_, index) =>
    createIssue(world, site, by, {
      projectId: project.id,
      typeId: type.id,
      values: {
        summary: `Consignment ${index + 1}`,
        description: textDocument(`Pallets of lorry ${index + 1}.`),
      },
      at: begun + index * 1_000,
    }),
  );
  const spread = (count: number, each: (issue: Issue, index: number) => void) => {
    if (made.length === 0) return;
    for (let index = 0; index < count; index += 1) each(made[index % made.length]!, index);
  };
  spread(order.comments, (issue, index) => {
    addComment(world, site, by, { issue, body: textDocument(`Remark ${index + 1}`) });
  });
  spread(order.worklogs, (issue) => {
    addWorklog(world, site, by, { issue, seconds: 3_600, startedAt: Date.now() });
  });
  spread(order.attachments, (issue, index) => {
    const bytes = Buffer.alloc(order.attachmentBytes, `file ${index + 1} `);
    attachFile(world, site, by, {
      issue,
      fileName: `file-${index + 1}.bin`,
      mimeType: "application/octet-stream",
      bytes,
    });
  });
  return made;
}
