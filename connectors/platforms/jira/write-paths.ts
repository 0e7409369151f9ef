import { API_VERSION } from "./client.ts";

const id = encodeURIComponent;
const REST = `/rest/api/${API_VERSION}`;
const AGILE = "/rest/agile/1.0";

/** Paths of calls that only a restore makes. */
export const writePaths = {
  project: `${REST}/project`,
  freeKey: `${REST}/projectvalidate/validProjectKey`,
  components: (project: string) => `${REST}/project/${id(project)}/components`,
  versions: (project: string) => `${REST}/project/${id(project)}/versions`,
  component: `${REST}/component`,
  version: `${REST}/version`,
  people: `${REST}/user/bulk`,
  issues: `${REST}/issue/bulk`,
  issue: `${REST}/issue`,
  fetchIssues: `${REST}/issue/bulkfetch`,
  transitions: (issue: string) => `${REST}/issue/${id(issue)}/transitions`,
  comment: (issue: string, comment: string) => `${REST}/issue/${id(issue)}/comment/${id(comment)}`,
  attachments: (issue: string) => `${REST}/issue/${id(issue)}/attachments`,
  link: `${REST}/issueLink`,
  sprint: `${AGILE}/sprint`,
  sprintIssues: (sprint: string) => `${AGILE}/sprint/${id(sprint)}/issue`,
  rank: `${AGILE}/issue/rank`,
} as const;
