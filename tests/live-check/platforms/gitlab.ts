import { type Json, type LiveCheck, must, scratchName, sender } from "../live-check.ts";

const AT = "2020-01-02T03:04:05.000Z";

/** Questions that a private scratch project answers. */
export const gitlab: LiveCheck = {
  label: "GitLab",
  variables: { LIVE_GITLAB_TOKEN: "a token with the scope `api` of somebody who may create projects" },
  defaults: { GITLAB_URL: "https://gitlab.com" },
  async open({ GITLAB_URL, LIVE_GITLAB_TOKEN }) {
    const send = sender(`${GITLAB_URL}/api/v4`, { authorization: `Bearer ${LIVE_GITLAB_TOKEN}` });
    const order = { name: scratchName(), visibility: "private" };
    const made = must(await send("POST", "/projects", order), "the scratch project");
    const item = `/projects/${made.id}`;
    return { send, item, close: async () => void must(await send("DELETE", item), made.path_with_namespace) };
  },
  questions: [
    {
      question: "Does an owner choose the number of an issue?",
      belief: "7",
      source: "docs.gitlab.com, “Issues API”, New issue: iid",
      ask: async ({ send, item }) =>
        String(must(await send("POST", `${item}/issues`, { title: "Seventh", iid: 7 }), "an issue").iid),
    },
    {
      question: "Does an owner choose the date of an issue and of a comment?",
      belief: `${AT}, ${AT}`,
      source: "docs.gitlab.com, “Issues API” and “Notes API”: created_at",
      ask: async ({ send, item }) => {
        const issue = { title: "Old", iid: 8, created_at: AT };
        const made = must(await send("POST", `${item}/issues`, issue), "an issue");
        const note = { body: "Old, too", created_at: AT };
        const said = must(await send("POST", `${item}/issues/8/notes`, note), "a comment");
        return `${made.created_at}, ${said.created_at}`;
      },
    },
    {
      question: "Is a plain comment in a discussion of its own right after it is written?",
      belief: "yes",
      source: "GitLab, app/models/discussion.rb",
      ask: async ({ send, item }) => {
        const path = `${item}/issues/7`;
        const { id } = must(await send("POST", `${path}/notes`, { body: "Plain" }), "a comment");
        return (await discussionOf(await send("GET", `${path}/discussions`), id)) === null ? "no" : "yes";
      },
    },
    {
      question: "Is a reply to an internal comment internal?",
      belief: "true",
      source: "GitLab, app/services/notes/build_service.rb",
      ask: async ({ send, item }) => {
        const path = `${item}/issues/7`;
        const hidden = { body: "Internal", internal: true };
        const { id } = must(await send("POST", `${path}/notes`, hidden), "an internal comment");
        const discussion = await discussionOf(await send("GET", `${path}/discussions`), id);
        const reply = await send("POST", `${path}/discussions/${discussion}/notes`, { body: "Reply" });
        return String(must(reply, "the reply").internal);
      },
    },
    {
      question: "Does a new discussion take the flag of internal comments?",
      belief: "false",
      source: "GitLab, lib/api/discussions.rb takes body, created_at and position",
      ask: async ({ send, item }) => {
        const order = { body: "Thread", internal: true };
        const made = must(await send("POST", `${item}/issues/7/discussions`, order), "a discussion");
        return String(made.notes[0].internal);
      },
    },
    {
      question: "Is a title of 256 characters refused?",
      belief: "400",
      source: "the simulator",
      ask: async ({ send, item }) =>
        String((await send("POST", `${item}/issues`, { title: "x".repeat(256) })).status),
    },
  ],
};

function discussionOf(answer: Parameters<typeof must>[0], noteId: number): string | null {
  const all: Json[] = must(answer, "the discussions");
  return all.find(({ notes }) => notes.some(({ id }: Json) => id === noteId))?.id ?? null;
}
