import { type LiveCheck, must, scratchName, sender } from "../live-check.ts";

const LONG_TITLE = "x".repeat(257);
const LONG_TEXT = "x".repeat(65_537);

/** Questions that a private scratch repository answers. */
export const github: LiveCheck = {
  label: "GitHub",
  variables: {
    LIVE_GITHUB_TOKEN: "a token of a user of the App, whose installation may administer all repositories",
  },
  defaults: { GITHUB_API_URL: "https://api.github.com" },
  async open({ GITHUB_API_URL = "", LIVE_GITHUB_TOKEN }) {
    const send = sender(GITHUB_API_URL, {
      authorization: `Bearer ${LIVE_GITHUB_TOKEN}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      "user-agent": "holdfast/1",
    });
    const order = { name: scratchName(), private: true };
    const made = must(await send("POST", "/user/repos", order), "the scratch repository");
    const item = `/repos/${made.full_name}`;
    return { send, item, close: async () => void must(await send("DELETE", item), made.full_name) };
  },
  questions: [
    {
      question: "Which labels has a new repository?",
      belief:
        "bug, documentation, duplicate, enhancement, good first issue, help wanted, invalid, question, wontfix",
      source: "docs.github.com, “Managing labels”",
      ask: async ({ send, item }) =>
        must(await send("GET", `${item}/labels`), "the labels")
          .map(({ name }: { name: string }) => name)
          .sort()
          .join(", "),
    },
    {
      question: "Which numbers have the first two issues?",
      belief: "1, 2",
      source: "docs.github.com, “REST API endpoints for issues”: pull requests are issues",
      ask: async ({ send, item }) => {
        const make = async (title: string) =>
          must(await send("POST", `${item}/issues`, { title }), "an issue").number;
        return `${await make("First")}, ${await make("Second")}`;
      },
    },
    {
      question: "Does the import of issues accept this token?",
      belief: "403",
      source: "gavinr/github-csv-tools, issue 109",
      ask: async ({ send, item }) => String((await send("GET", `${item}/import/issues`)).status),
    },
    {
      question: "Does GitHub take a gist from this token?",
      belief: "201",
      source: "docs.github.com, “Permissions required for GitHub Apps”: gists, write",
      ask: async ({ send }) => {
        const files = { "live-check.md": { content: "A check of Holdfast." } };
        const { status, body } = await send("POST", "/gists", { public: false, files });
        if (status === 201) must(await send("DELETE", `/gists/${body.id}`), "the gist");
        return String(status);
      },
    },
    {
      question: "Is a title of 257 characters refused?",
      belief: "422",
      source: "the simulator",
      ask: async ({ send, item }) =>
        String((await send("POST", `${item}/issues`, { title: LONG_TITLE })).status),
    },
    {
      question: "Is a text of 65,537 characters refused in an issue?",
      belief: "422",
      source: "github.com, message “body is too long (maximum is 65536 characters)”",
      ask: async ({ send, item }) =>
        String((await send("POST", `${item}/issues`, { title: "Long", body: LONG_TEXT })).status),
    },
    {
      question: "Which headers report what is left of the quota?",
      belief:
        "x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, x-ratelimit-resource, x-ratelimit-used",
      source: "docs.github.com, “Rate limits for the REST API”",
      ask: async ({ send, item }) =>
        [...(await send("GET", item)).headers.keys()]
          .filter((name) => name.startsWith("x-ratelimit-"))
          .sort()
          .join(", "),
    },
    {
      question: "Does a lock take the reason “too heated”, and do answers repeat it?",
      belief: "too heated",
      source: "docs.github.com, “Lock an issue”",
      ask: async ({ send, item }) => {
        must(await send("PUT", `${item}/issues/1/lock`, { lock_reason: "too heated" }), "the lock");
        return String(must(await send("GET", `${item}/issues/1`), "the issue").active_lock_reason);
      },
    },
    {
      question: "Does an issue close with the reason “not planned”?",
      belief: "not_planned",
      source: "docs.github.com, “Update an issue”",
      ask: async ({ send, item }) => {
        const change = { state: "closed", state_reason: "not_planned" };
        return String(must(await send("PATCH", `${item}/issues/2`, change), "closing").state_reason);
      },
    },
  ],
};
