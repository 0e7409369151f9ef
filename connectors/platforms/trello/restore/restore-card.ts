import { unclaimed } from "#connectors/toolkit/records/make-once.ts";
import { paths } from "../client.ts";
import { actionSchema, stickersSchema, type TrelloCard } from "../payloads.ts";
import { reactionsOf } from "../read/browse-notes.ts";
import { readComments } from "../read/read-actions.ts";
import { recordPaths } from "../record-paths.ts";
import { addLine, type CardRestore, type CardStep } from "./card-step.ts";
import { postThing } from "./make-series.ts";
import { quoteComment } from "./quote-trello.ts";
import { attachmentSteps } from "./restore-attachments.ts";
import { checklistSteps } from "./restore-checklists.ts";
import { fieldValues } from "./restore-fields.ts";
import { finalState } from "./restore-last.ts";
import { isRefusal } from "./restore-refusal.ts";

/** All steps after a card is created. Their order depends only on the version. */
export async function cardSteps(restore: CardRestore): Promise<CardStep[]> {
  const { card } = restore;
  return [
    ...valueSteps(restore),
    ...card.checklists.flatMap((checklist, index) =>
      checklistSteps(restore, checklist, card.checklists.slice(0, index)),
    ),
    ...(await attachmentSteps(restore)),
    ...stickerSteps(restore),
    ...(await commentSteps(restore)),
    ...voteSteps(restore),
    ...lastSteps(restore),
  ];
}

function valueSteps({ io, frame, card, state }: CardRestore): CardStep[] {
  const customFieldItems = fieldValues(card, frame);
  if (customFieldItems.length === 0) return [];
  const path = paths.cardCustomFields(state.id);
  const call = {
    method: "PUT",
    path,
    body: { customFieldItems },
    about: "the values of custom fields",
  } as const;
  return [
    {
      what: "Values of custom fields",
      kind: null,
      run: async () => void (await io.client.send({ ...call, missing: "forbidden" })),
    },
  ];
}

function stickerSteps({ io, card, state }: CardRestore): CardStep[] {
  const keyOf = ({ image, left, top, rotate, zIndex }: TrelloCard["stickers"][number]) =>
    JSON.stringify([image, left, top, rotate, zIndex]);
  return card.stickers.map((sticker, index): CardStep => {
    const key = keyOf(sticker);
    const before = card.stickers.slice(0, index).filter((each) => keyOf(each) === key).length;
    const { image, left, top, rotate, zIndex } = sticker;
    const path = paths.cardStickers(state.id);
    return {
      what: `Sticker ${image}`,
      kind: "sticker",
      run: async () =>
        void (await io.maker.make<{ id: string }>({
          look: async () => {
            const there = await io.client.request(
              { method: "GET", path, about: "the new stickers" },
              stickersSchema,
            );
            return unclaimed(
              there.filter((each) => keyOf(each) === key),
              before,
            );
          },
          create: () => postThing(io, path, { image, left, top, rotate, zIndex }, "a sticker"),
        })),
    };
  });
}

/** Comments, oldest first: Trello orders them by creation. */
async function commentSteps({ io, card, state }: CardRestore): Promise<CardStep[]> {
  const comments: { at: string; text: string; isCut: boolean }[] = [];
  for await (const { path } of io.snapshot.list(recordPaths.commentsOf(card.id))) {
    const action = actionSchema.parse(await io.snapshot.readRecord(path));
    const { date, memberCreator, data } = action;
    const author = memberCreator === null ? null : authorName(memberCreator);
    // Nobody can react for others.
    const signs = reactionsOf(action).map(({ sign, count }) => `${sign} ${count}`);
    const facts = signs.length === 0 ? [] : [`Reactions: ${signs.join(", ")}.`];
    comments.push({ at: date, ...quoteComment({ author, at: date, url: null, facts }, data.text ?? "") });
  }
  comments.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
  return comments.map(({ text, isCut }, index): CardStep => {
    const before = comments.slice(0, index).filter((each) => each.text === text).length;
    return {
      what: "A comment",
      kind: "comment",
      run: async () => {
        await io.maker.make<{ id: string }>({
          look: async () => {
            const there = await readComments(io.session, state.id);
            return unclaimed(
              there.filter(({ data }) => data.text === text),
              before,
            );
          },
          create: () => postThing(io, paths.cardComments(state.id), { text }, "a comment"),
        });
        if (!isCut) return;
        const reason =
          "It was too long for Trello with the line that names its author; the backup holds all of it.";
        addLine(state, { type: "changed", what: `A comment of the card ${card.name}`, reason });
      },
    };
  });
}

function authorName({ fullName, username }: { fullName: string | null; username: string }): string {
  if (!fullName) return username;
  return username ? `${fullName} (${username})` : fullName;
}

/** The vote of the connected account. Nobody can vote for others at Trello. */
function voteSteps({ io, card, state }: CardRestore): CardStep[] {
  if (!card.idMembersVoted.includes(io.memberId)) return [];
  const path = paths.cardVotes(state.id);
  const call = {
    method: "POST",
    path,
    body: { value: io.memberId },
    about: "your vote",
    missing: "forbidden",
  } as const;
  const run = async () => {
    try {
      // Trello refuses a second vote, so a repeat is harmless.
      await io.client.send({ ...call, isRepeatable: true });
    } catch (error) {
      if (!isRefusal(error) || !/already voted/i.test(error.message)) throw error;
    }
  };
  return [{ what: "Your vote", kind: "vote", run }];
}

/** Sets the cover and the final state of a card; archives it last. */
function lastSteps({ io, card, state }: CardRestore): CardStep[] {
  return finalState(card, state).map(
    ({ what, body }): CardStep => ({
      what,
      kind: null,
      run: async () => {
        const call = {
          method: "PUT",
          path: paths.card(state.id),
          body: body(),
          about: `the card ${card.name}`,
        } as const;
        await io.client.send({ ...call, missing: "forbidden" });
      },
    }),
  );
}
