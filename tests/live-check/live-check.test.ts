import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { startHeldGithub } from "#connectors/platforms/github/simulator/held-world.ts";
import { issueUserToken } from "#connectors/platforms/github/simulator/tokens.ts";
import { startGitlabSimulator } from "#connectors/platforms/gitlab/simulator/gitlab-simulator.ts";
import { findUser } from "#connectors/platforms/gitlab/simulator/namespaces.ts";
import type { Project } from "#connectors/platforms/gitlab/simulator/state.ts";
import { issueToken } from "#connectors/platforms/gitlab/simulator/tokens.ts";
import { jiraForTest } from "#connectors/platforms/jira/simulator/test-world.ts";
import type { Page as NotionPage } from "#connectors/platforms/notion/simulator/state.ts";
import { notionForTest } from "#connectors/platforms/notion/simulator/test-world.ts";
import { findMember } from "#connectors/platforms/trello/simulator/store.ts";
import { issueLegacyToken } from "#connectors/platforms/trello/simulator/tokens.ts";
import { startTrelloSimulator } from "#connectors/platforms/trello/simulator/trello-simulator.ts";
import { checks } from "./checks.ts";
import { type LiveCheck, runLiveCheck } from "./live-check.ts";

type Env = Record<string, string>;

/** Starts a simulator. `left` counts the items that a check may have left behind. */
const SERVICES: Readonly<Record<string, () => Promise<{ env: Env; left: () => number }>>> = {
  github: async () => {
    const github = await startHeldGithub({ seed: "people" });
    onTestFinished(() => github.stop());
    const { state } = github.world;
    const token = issueUserToken(github.world, { login: "nora-lindqvist", scopes: null }).value;
    const left = () => state.repositories.filter(({ isDeleted }) => !isDeleted).length + state.gists.length;
    return { env: { LIVE_GITHUB_TOKEN: token, GITHUB_API_URL: github.apiUrl }, left };
  },
  gitlab: async () => {
    const gitlab = await startGitlabSimulator({ seed: "people" });
    onTestFinished(() => gitlab.stop());
    const userId = findUser(gitlab.world, "nora-lindqvist")!.id;
    const token = issueToken(gitlab.world, { userId, scopes: ["api"] }).value;
    const isThere = (one: Project) => !one.isDeleted && one.markedForDeletionOn === null;
    const left = () => gitlab.world.state.projects.filter(isThere).length;
    return { env: { LIVE_GITLAB_TOKEN: token, GITLAB_URL: gitlab.url }, left };
  },
  trello: async () => {
    const trello = await startTrelloSimulator({ seed: "people" });
    onTestFinished(() => trello.stop());
    const { world } = trello;
    const idMember = findMember(world, "nora_lindqvist")!.id;
    const token = issueLegacyToken(world, { idMember, scopes: ["read", "write"], lifetimeMs: null }).value;
    const env = {
      ...{ LIVE_TRELLO_KEY: world.settings.apiKey, LIVE_TRELLO_TOKEN: token },
      TRELLO_API_URL: `${trello.url}/1`,
    };
    return { env, left: () => world.state.boards.length };
  },
  jira: async () => {
    const jira = await jiraForTest();
    const given = await jira.control("api-token");
    const env = {
      LIVE_JIRA_SITE: `${jira.url}/sites/meridian`,
      LIVE_JIRA_EMAIL: given.email,
      LIVE_JIRA_TOKEN: given.token,
    };
    return { env, left: () => jira.world.state.sites.flatMap(({ projects }) => projects).length };
  },
  notion: async () => {
    const notion = await notionForTest();
    const made = await notion.post("/pages", {
      parent: { type: "workspace", workspace: true },
      properties: { title: { title: [{ type: "text", text: { content: "Live checks" } }] } },
    });
    const env = {
      ...{ LIVE_NOTION_TOKEN: notion.grant().token, LIVE_NOTION_PAGE: made.id },
      NOTION_API_URL: notion.url,
    };
    const isLeft = (page: NotionPage) => !page.isTrashed && JSON.stringify(page.parent).includes(made.id);
    const left = () => Object.values(notion.world.state.pages).filter(isLeft).length;
    return { env, left };
  },
};

test.each(Object.keys(checks))(
  "the simulated %s answers every question as we believe, and the check leaves nothing behind",
  async (platform) => {
    const { env, left } = await SERVICES[platform]!();
    const before = left();
    const lines: string[] = [];
    const outcome = await runLiveCheck(checks[platform]!, env, (line) => lines.push(line));
    expect(lines.filter((line) => !line.startsWith("as believed"))).toEqual([]);
    expect(outcome).toEqual({ asked: checks[platform]!.questions.length, differing: 0, isClean: true });
    expect(left()).toBe(before);
  },
);

const NOTHING = { status: 200, headers: new Headers(), body: null };

/** A check of an imaginary service. */
function checkOf(more: Partial<LiveCheck> = {}, close = async () => {}): LiveCheck {
  return {
    ...{ label: "Service", variables: { LIVE_TOKEN: "a token" }, defaults: {} },
    open: async () => ({ send: async () => NOTHING, item: "/item", close }),
    questions: [
      { question: "Is it so?", belief: "yes", source: "a book", ask: async () => "no" },
      {
        ...{ question: "Does it answer?", belief: "yes", source: "a guess" },
        ask: async () => {
          throw new Error("503");
        },
      },
      { question: "Is it blue?", belief: "yes", source: "a look", ask: async () => "yes" },
    ],
    ...more,
  };
}

test("an answer that differs is printed with our belief and its source, and a question that fails stops no other", async () => {
  const lines: string[] = [];
  const outcome = await runLiveCheck(checkOf(), { LIVE_TOKEN: "t" }, (line) => lines.push(line));
  expect(outcome).toEqual({ asked: 3, differing: 2, isClean: true });
  expect(lines).toEqual([
    "DIFFERS      Is it so?\n  believed: yes (a book)\n  Service: no",
    "DIFFERS      Does it answer?\n  believed: yes (a guess)\n  Service: no answer: Error: 503",
    "as believed  Is it blue? yes",
  ]);
});

test("what the check cannot delete is named, and a missing variable stops it before it makes anything", async () => {
  const lines: string[] = [];
  const broken = checkOf({ questions: [] }, async () => {
    throw new Error("item 7: 403");
  });
  const outcome = await runLiveCheck(broken, { LIVE_TOKEN: "t" }, (line) => lines.push(line));
  expect([outcome.isClean, lines]).toEqual([false, ["LEFT BEHIND  Error: item 7: 403"]]);
  let isOpened = false;
  const open: LiveCheck["open"] = async () => {
    isOpened = true;
    throw new Error("opened");
  };
  await expect(runLiveCheck(checkOf({ open }), {}, () => {})).rejects.toThrow("Set LIVE_TOKEN: a token.");
  expect(isOpened).toBe(false);
});

test("docs/live-check.md lists every question that the command asks, with our belief and its source", () => {
  const doc = readFileSync(new URL("../../docs/live-check.md", import.meta.url), "utf8");
  const rows = doc.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  for (const { label, questions } of Object.values(checks)) {
    for (const { question, belief, source } of questions) {
      expect(rows, `${label}: ${question}`).toContainEqual(["", label, question, belief, source, ""]);
    }
  }
});
