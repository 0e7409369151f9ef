import { type Json, type LiveCheck, must, type Scratch, sender } from "../live-check.ts";

/** Jira writes `updated` in milliseconds; after this time a change shows. */
const TICK_MS = 50;
const TEMPLATE = "com.pyxis.greenhopper.jira:gh-simplified-kanban-classic";

/** Questions that a scratch project answers. */
export const jira: LiveCheck = {
  label: "Jira",
  variables: {
    LIVE_JIRA_SITE: "the address of a site, e.g. https://example.atlassian.net",
    LIVE_JIRA_EMAIL: "the e-mail address of an administrator of that site",
    LIVE_JIRA_TOKEN: "an API token of that person, without scopes",
  },
  defaults: {},
  async open({ LIVE_JIRA_SITE, LIVE_JIRA_EMAIL, LIVE_JIRA_TOKEN }) {
    const credentials = Buffer.from(`${LIVE_JIRA_EMAIL}:${LIVE_JIRA_TOKEN}`).toString("base64");
    const send = sender(LIVE_JIRA_SITE ?? "", {
      authorization: `Basic ${credentials}`,
      accept: "application/json",
    });
    const { accountId } = must(await send("GET", "/rest/api/3/myself"), "the account");
    const key = `LC${crypto
      .randomUUID()
      .slice(0, 6)
      .toUpperCase()
      .replace(/[^A-Z]/g, "X")}`;
    const order = {
      ...{ key, name: `Holdfast live check ${key}`, projectTypeKey: "software" },
      ...{ projectTemplateKey: TEMPLATE, leadAccountId: accountId, assigneeType: "UNASSIGNED" },
    };
    const made = must(await send("POST", "/rest/api/3/project", order), "the scratch project");
    const item = `/rest/api/3/project/${made.id}`;
    const close = async () => void must(await send("DELETE", `${item}?enableUndo=false`), key);
    return { send, item, close };
  },
  questions: [
    {
      question: "Do watching, properties and web links change `updated` of an issue?",
      belief: "none of them",
      source: "the simulator; the product reads them again on days of their own",
      ask: async (scratch) => {
        const issue = await makeIssue(scratch, "Quiet");
        const path = `/rest/api/3/issue/${issue}`;
        const { accountId } = must(await scratch.send("GET", "/rest/api/3/myself"), "the account");
        const link = { object: { url: "https://example.com", title: "Example" } };
        const changes: [string, string, string, unknown][] = [
          ["watching", "POST", `${path}/watchers`, accountId],
          ["properties", "PUT", `${path}/properties/live-check`, { is: "here" }],
          ["web links", "POST", `${path}/remotelink`, link],
        ];
        const loud: string[] = [];
        for (const [name, method, target, body] of changes) {
          const before = await updatedOf(scratch, issue);
          await new Promise((resolve) => setTimeout(resolve, TICK_MS));
          must(await scratch.send(method, target, body), name);
          if ((await updatedOf(scratch, issue)) !== before) loud.push(name);
        }
        return loud.length === 0 ? "none of them" : loud.join(", ");
      },
    },
    {
      question: "Does `bulkfetch` return an issue right after it was made, with its history?",
      belief: "1 issue, with history",
      source: "developer.atlassian.com, “Bulk fetch issues”: expand",
      ask: async (scratch) => {
        const issue = await makeIssue(scratch, "Fresh");
        const order = { issueIdsOrKeys: [issue], fields: ["summary"], expand: ["changelog"] };
        const { issues } = must(
          await scratch.send("POST", "/rest/api/3/issue/bulkfetch", order),
          "the issues",
        );
        const isTold = issues.every(({ changelog }: Json) => Array.isArray(changelog?.histories));
        return `${issues.length} issue, ${isTold ? "with" : "without"} history`;
      },
    },
    {
      question: "Is a summary of 256 characters refused?",
      belief: "400",
      source: "jira.atlassian.com, message “Summary must be less than 255 characters”",
      ask: async (scratch) => {
        const fields = await fieldsOf(scratch, "x".repeat(256));
        return String((await scratch.send("POST", "/rest/api/3/issue", { fields })).status);
      },
    },
    {
      question: "How is a project refused that is not there?",
      belief: "404",
      source: "swagger-v3.v3.json, GET /rest/api/3/project/{projectIdOrKey}",
      ask: async ({ send }) => String((await send("GET", "/rest/api/3/project/NOSUCHPROJECT")).status),
    },
    {
      question: "Does the count of the search see an issue that was just made?",
      belief: "yes",
      source: "the simulator; the product looks again for what it misses",
      ask: async (scratch) => {
        await makeIssue(scratch, "Counted");
        const { id } = must(await scratch.send("GET", scratch.item), "the project");
        const order = { jql: `project = ${id}` };
        const { count } = must(
          await scratch.send("POST", "/rest/api/3/search/approximate-count", order),
          "the count",
        );
        return count >= 3 ? "yes" : "no";
      },
    },
  ],
};

async function fieldsOf({ send, item }: Scratch, summary: string) {
  const { id, issueTypes } = must(await send("GET", item), "the project");
  const type = issueTypes.find(({ subtask, hierarchyLevel }: Json) => !subtask && hierarchyLevel === 0);
  return { project: { id }, issuetype: { id: type.id }, summary };
}

async function makeIssue(scratch: Scratch, summary: string): Promise<string> {
  const fields = await fieldsOf(scratch, summary);
  return must(await scratch.send("POST", "/rest/api/3/issue", { fields }), "an issue").key;
}

async function updatedOf({ send }: Scratch, issue: string): Promise<string> {
  return must(await send("GET", `/rest/api/3/issue/${issue}?fields=updated`), "the issue").fields.updated;
}
