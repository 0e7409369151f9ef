import { type LiveCheck, must, type Scratch, scratchName, sender } from "../live-check.ts";

/** Questions that a private scratch board answers. */
export const trello: LiveCheck = {
  label: "Trello",
  variables: {
    LIVE_TRELLO_KEY: "an API key",
    LIVE_TRELLO_TOKEN: "a token of that key that may read and write",
  },
  defaults: { TRELLO_API_URL: "https://api.trello.com/1" },
  async open({ TRELLO_API_URL = "", LIVE_TRELLO_KEY, LIVE_TRELLO_TOKEN }) {
    const send = sender(TRELLO_API_URL, {
      authorization: `OAuth oauth_consumer_key="${LIVE_TRELLO_KEY}", oauth_token="${LIVE_TRELLO_TOKEN}"`,
    });
    const empty = { defaultLists: false, defaultLabels: false };
    const order = { name: scratchName(), ...empty, prefs_voting: "members" };
    const made = must(await send("POST", "/boards", order), "the scratch board");
    const item = `/boards/${made.id}`;
    return { send, item, close: async () => void must(await send("DELETE", item), made.name) };
  },
  questions: [
    {
      question: "Is a board that asked for no lists and labels empty?",
      belief: "0 lists, 0 labels",
      source: "Trello's documentation, “Create a Board”: defaultLists, defaultLabels",
      ask: async ({ send, item }) => {
        const lists = must(await send("GET", `${item}/lists?filter=all`), "the lists");
        const labels = must(await send("GET", `${item}/labels`), "the labels");
        return `${lists.length} lists, ${labels.length} labels`;
      },
    },
    {
      question: "Have things that are made later greater ids?",
      belief: "yes",
      source: "Trello's documentation, “Object IDs”: they begin with the time",
      ask: async (scratch) => {
        const first = await makeCard(scratch, "First");
        const second = await makeCard(scratch, "Second");
        return first < second ? "yes" : "no";
      },
    },
    {
      question: "Is a second vote refused, and how?",
      belief: "400 member has already voted on the card",
      source: "the simulator",
      ask: async (scratch) => {
        const { send } = scratch;
        const me = must(await send("GET", "/members/me"), "the account").id;
        const path = `/cards/${await makeCard(scratch, "Vote")}/membersVoted`;
        must(await send("POST", path, { value: me }), "the first vote");
        const { status, body } = await send("POST", path, { value: me });
        return `${status} ${typeof body === "string" ? body : body.message}`;
      },
    },
    {
      question: "Which headers report what is left of the limits?",
      belief: "api-key-remaining, api-token-remaining, member-remaining",
      source: "trello/recorded.json",
      ask: async ({ send, item }) =>
        [...(await send("GET", item)).headers.keys()]
          .flatMap((name) => /^x-rate-limit-(.+-remaining)$/.exec(name)?.[1] ?? [])
          .sort()
          .join(", "),
    },
    {
      question: "Is a comment of 16,385 characters refused?",
      belief: "400",
      source: "Trello's support pages, “Limits in Trello”",
      ask: async (scratch) => {
        const card = await makeCard(scratch, "Long");
        const text = "x".repeat(16_385);
        return String((await scratch.send("POST", `/cards/${card}/actions/comments`, { text })).status);
      },
    },
    {
      question: "How is a board refused that nobody has?",
      belief: "404 The requested resource was not found.",
      source: "trello/recorded.json",
      ask: async ({ send }) => {
        const { status, body } = await send("GET", "/boards/ffffffffffffffffffffffff");
        return `${status} ${typeof body === "string" ? body : body.message}`;
      },
    },
  ],
};

async function listOf({ send, item }: Scratch): Promise<string> {
  const [first] = must(await send("GET", `${item}/lists`), "the lists");
  if (first) return first.id;
  const idBoard = item.slice("/boards/".length);
  return must(await send("POST", "/lists", { name: "Cards", idBoard }), "a list").id;
}

async function makeCard(scratch: Scratch, name: string): Promise<string> {
  const idList = await listOf(scratch);
  return must(await scratch.send("POST", "/cards", { name, idList }), "a card").id;
}
