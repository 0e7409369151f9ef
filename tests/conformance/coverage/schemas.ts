import type { ContractFile } from "../contracts.ts";
import type { SchemaSource } from "./schema-sources.ts";

const contract =
  (file: ContractFile) =>
  (schema: string): SchemaSource => ({ from: "contract", file, schema });
const sdk =
  (module: string, file: string) =>
  (schema: string): SchemaSource => ({ from: "sdk", module, file, schema });
const graphql = (schema: string): SchemaSource => ({ from: "graphql", schema });

const github = contract("github/api.github.com.subset.json");
const gitlab = contract("gitlab/gitbeaker-types.schema.json");
const gitbeaker = sdk("@gitbeaker/core", "dist/index.d.ts");
const trello = contract("trello/observed.schema.json");
const jira = contract("jira/swagger-v3.v3.json");
const jiraSdk = (schema: string, file: string) => sdk("jira.js", `dist/esm/types/${file}.d.ts`)(schema);
const notion = contract("notion/openapi.derived.json");
const notionTypes = (schema: string): SchemaSource => ({
  from: "types",
  file: "notion/openapi.derived.json",
  schema,
});

/** The schemas of what each platform's versions hold, and of what they do not hold, by the names in its `coverage.ts`. */
export const SCHEMAS: Readonly<Record<string, Readonly<Record<string, SchemaSource>>>> = {
  github: {
    repository: github("full-repository"),
    label: github("label"),
    milestone: github("milestone"),
    issue: github("issue"),
    "issue-comment": github("issue-comment"),
    "issue-event": github("issue-event"),
    "pull-request": github("pull-request"),
    review: github("pull-request-review"),
    "review-comment": github("pull-request-review-comment"),
    release: github("release"),
    "release-asset": github("release-asset"),
    discussion: graphql("Discussion"),
    "discussion-comment": graphql("DiscussionComment"),
    project: graphql("ProjectV2"),
    "project-item": graphql("ProjectV2Item"),
    "branch-protection": github("branch-protection"),
    ruleset: github("repository-ruleset"),
    webhook: github("hook"),
    collaborator: github("collaborator"),
    gist: github("gist-simple"),
    "gist-comment": github("gist-comment"),
    reaction: github("reaction"),
    "commit-comment": github("commit-comment"),
    "deploy-key": github("deploy-key"),
    autolink: github("autolink"),
  },
  gitlab: {
    project: gitlab("ProjectSchema"),
    issue: gitlab("IssueSchema"),
    "merge-request": gitlab("MergeRequestSchema"),
    note: gitlab("NoteSchema"),
    label: gitlab("LabelSchema"),
    milestone: gitlab("MilestoneSchema"),
    release: gitlab("ReleaseSchema"),
    "release-link": gitlab("ReleaseAssetLink"),
    board: gitbeaker("IssueBoardSchema"),
    "board-list": gitbeaker("IssueBoardListSchema"),
    "protected-branch": gitlab("ProtectedBranchSchema"),
    member: gitlab("MemberSchema"),
    variable: gitlab("VariableSchema"),
    webhook: gitlab("ProjectHookSchema"),
    snippet: gitlab("ExpandedSnippetSchema"),
    reaction: gitlab("AwardEmojiSchema"),
    "protected-tag": gitbeaker("ProtectedTagSchema"),
    "pipeline-schedule": gitbeaker("PipelineScheduleSchema"),
    badge: gitbeaker("ProjectBadgeSchema"),
    "issue-link": gitbeaker("IssueLinkSchema"),
    "deploy-key": gitlab("DeployKeySchema"),
    pipeline: gitlab("PipelineSchema"),
  },
  trello: {
    board: trello("board"),
    list: trello("list"),
    label: trello("label"),
    "custom-field": trello("customField"),
    card: trello("card"),
    "custom-field-value": trello("customFieldItem"),
    checklist: trello("checklist"),
    "check-item": trello("checkItem"),
    attachment: trello("attachment"),
    member: trello("member"),
    action: trello("action"),
    "plugin-data": trello("pluginData"),
  },
  jira: {
    project: jira("Project"),
    issue: jira("IssueBean"),
    fields: jiraSdk("Fields", "version3/models/fields"),
    comment: jira("Comment"),
    worklog: jira("Worklog"),
    attachment: jira("AttachmentMetadata"),
    link: jira("IssueLink"),
    "web-link": jira("RemoteIssueLink"),
    watchers: jira("Watchers"),
    votes: jira("Votes"),
    change: jira("Changelog"),
    component: jira("ProjectComponent"),
    version: jira("Version"),
    sprint: jiraSdk("Sprint", "agile/models/sprint"),
    board: jiraSdk("Board", "agile/models/board"),
    "issue-type": jira("IssueTypeDetails"),
    status: jira("StatusDetails"),
    field: jira("FieldDetails"),
    role: jira("ProjectRole"),
  },
  notion: {
    page: notion("PageObjectResponse"),
    property: notionTypes("PagePropertyValueWithIdResponse"),
    block: notion("ParagraphBlockObjectResponse"),
    "block-type": notionTypes("BlockObjectResponse"),
    "rich-text": notion("RichTextItemResponse"),
    database: notion("DatabaseObjectResponse"),
    "data-source": notion("DataSourceObjectResponse"),
    "property-type": notionTypes("DatabasePropertyConfigResponse"),
    view: notion("DataSourceViewObjectResponse"),
    "view-type": notionTypes("ViewConfigResponse"),
    comment: notion("CommentObjectResponse"),
    user: notion("UserObjectResponse"),
    emoji: notion("CustomEmojiResponse"),
  },
};
