import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { unclaimed } from "#connectors/toolkit/records/make-once.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { openStage, type RestoreStage } from "#connectors/toolkit/records/restore-stage.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { paths } from "../client.ts";
import { cardSchema, createdCardSchema, type TrelloCard } from "../payloads.ts";
import { readCardFaces } from "../read/read-board.ts";
import { recordPaths } from "../record-paths.ts";
import { addLine, type CardState } from "./card-step.ts";
import type { Frame } from "./frame.ts";
import { cardSteps } from "./restore-card.ts";
import { valuesAsText } from "./restore-fields.ts";
import type { RestoreIo } from "./restore-io.ts";
import { isRefusal, reasonOf } from "./restore-refusal.ts";
import { requireBoard } from "./restore-target.ts";

/** A card's entry in the journal, under `card:<id>`. */
export const cardStateSchema = z.object({
  id: z.string(),
  url: z.string().nullable(),
  shortLink: z.string(),
  done: z.number(),
  made: z.record(z.string(), z.string()),
  counts: z.record(z.string(), z.number()),
  lines: z.array(
    z.object({ type: z.enum(["changed", "impossible", "missing"]), what: z.string(), reason: z.string() }),
  ),
});
const refusedSchema = z.object({ refused: z.string() });

/** A card of the version. */
export type CardEntry = { path: string; title: string };

/** Which cards to restore, sorted by path, and how. */
export type CardsOrder = {
  cards: readonly CardEntry[];
  /** Changes a card before it is restored. */
  adapt: (card: TrelloCard) => TrelloCard;
  /** Its position in its list. */
  posOf: (card: TrelloCard) => number | "bottom";
  /** Ids of cards that were on the board before the restore. */
  passed: ReadonlySet<string>;
};

/** All cards of a version unchanged, for a new board. */
export async function allCards(io: RestoreIo): Promise<CardsOrder> {
  return { cards: await listCards(io), adapt: (card) => card, posOf: ({ pos }) => pos, passed: new Set() };
}

/**
 * Restores cards in order of their original creation, each finished before the next. The journal records how many steps
 * of a card are done, so a slice may end between any two steps.
 */
export async function* restoreCards(
  io: RestoreIo,
  frame: Frame,
  orderOf: () => Promise<CardsOrder> = () => allCards(io),
): AsyncGenerator<RestoreEvent, void> {
  const stage = await openStage<string>(io.journal, "cards");
  if (!stage.isDone) {
    const order = await orderOf();
    const { cards } = order;
    for (const [index, { path }] of cards.entries()) {
      if (stage.at !== null && path <= stage.at) continue;
      const progress = { phase: "Creating cards", done: index, total: cards.length, unit: "items" } as const;
      yield { type: "progress", progress };
      const card = order.adapt(cardSchema.parse(await io.snapshot.readRecord(path)));
      yield* restoreCard({ io, frame, stage, order }, { card, index });
      await stage.step(path);
      yield { type: "checkpoint" };
    }
    await stage.finish();
  }
  yield* stage.events();
}

async function listCards({ snapshot }: RestoreIo): Promise<CardEntry[]> {
  const cards: CardEntry[] = [];
  for await (const { path, kind, title } of snapshot.list(recordPaths.cards)) {
    if (kind === "card") cards.push({ path, title: title ?? "" });
  }
  return cards;
}

type CardsRestore = { io: RestoreIo; frame: Frame; stage: RestoreStage<string>; order: CardsOrder };

async function* restoreCard(
  { io, frame, stage, order }: CardsRestore,
  { card, index }: { card: TrelloCard; index: number },
): AsyncGenerator<RestoreEvent, void> {
  const key = `card:${card.id}`;
  const noted = await readNote(io.journal, key, z.union([cardStateSchema, refusedSchema]));
  const what = `Card ${card.name}`;
  const state = noted ?? (await createCard({ io, frame, order }, { card, index }));
  if (noted === null) await io.journal.record(key, state);
  if ("refused" in state) {
    stage.tell({ type: "missing", what, reason: state.refused });
    return;
  }
  const steps = await cardSteps({ io, frame, card, state });
  for (const step of steps.slice(state.done)) {
    try {
      await step.run();
      if (step.kind !== null) state.counts[step.kind] = (state.counts[step.kind] ?? 0) + 1;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (error.kind === "gone") await requireBoard(io.client, io.boardId);
      addLine(state, {
        type: "missing",
        what: `${step.what} of the card ${card.name}`,
        reason: reasonOf(error),
      });
    }
    state.done += 1;
    await io.journal.record(key, structuredClone(state) as Json);
    yield { type: "checkpoint" };
  }
  reportCard(stage, card, state);
}

function reportCard(stage: RestoreStage<string>, card: TrelloCard, state: CardState): void {
  stage.count("card");
  for (const [kind, count] of Object.entries(state.counts)) stage.count(kind, count);
  for (const line of state.lines) stage.tell(line);
  const from = card.shortLink ?? card.id;
  stage.tell({ type: "mapped", kind: "card", from, to: state.shortLink || state.id, url: state.url });
}

async function createCard(
  { io, frame, order }: Omit<CardsRestore, "stage">,
  { card, index }: { card: TrelloCard; index: number },
): Promise<CardState | { refused: string }> {
  const idList = frame.lists.get(card.idList);
  if (idList === undefined) return { refused: "Its list was not restored." };
  const { text, isCut } = valuesAsText(card, frame);
  const pos = order.posOf(card);
  const body = { ...cardBody(card, { idList, desc: text, frame, memberId: io.memberId }), pos };
  const call = {
    method: "POST",
    path: paths.cards,
    body,
    about: `the card ${card.name}`,
    missing: "forbidden",
  } as const;
  try {
    const created = await io.maker.make({
      look: () => findCard({ io, order }, { card, idList, index }),
      create: () => io.client.request(call, createdCardSchema),
    });
    const state: CardState = {
      id: created.id,
      url: created.shortUrl,
      shortLink: created.shortLink,
      done: 0,
      made: {},
      counts: {},
      lines: [],
    };
    if (isCut) {
      const reason = "Values of custom fields made it too long for Trello; the backup holds all of it.";
      addLine(state, { type: "changed", what: `Description of the card ${card.name}`, reason });
    }
    return state;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await requireBoard(io.client, io.boardId);
    return { refused: reasonOf(error) };
  }
}

function cardBody(
  card: TrelloCard,
  { idList, desc, frame, memberId }: { idList: string; desc: string; frame: Frame; memberId: string },
): object {
  const body = {
    idList,
    name: card.name,
    desc,
    due: card.due,
    start: card.start,
    dueComplete: card.dueComplete,
    idLabels: card.idLabels.map((id) => frame.labels.get(id)).filter((id) => id !== undefined),
    idMembers: card.idMembers.filter((id) => id === memberId),
    address: card.address,
    locationName: card.locationName,
    coordinates: coordinatesOf(card),
    cardRole: card.cardRole,
  };
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== null && value !== undefined && !isEmptyList(value)),
  );
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
const coordinatesSchema = z.object({ latitude: z.number(), longitude: z.number() });

/** Trello returns coordinates as an object and accepts them as two numbers separated by a comma. */
function coordinatesOf({ coordinates }: TrelloCard): string | null {
  if (typeof coordinates === "string") return coordinates;
  const parsed = coordinatesSchema.safeParse(coordinates);
  return parsed.success ? `${parsed.data.latitude},${parsed.data.longitude}` : null;
}

/** Finds a card on the board that looks like this one and is neither older nor already claimed. */
async function findCard(
  { io, order }: Pick<CardsRestore, "io" | "order">,
  { card, idList, index }: { card: TrelloCard; idList: string; index: number },
) {
  const pos = order.posOf(card);
  const isAlike = (each: TrelloCard) =>
    each.idList === idList &&
    (pos === "bottom" || each.pos === pos) &&
    each.name.trim() === card.name.trim() &&
    !order.passed.has(each.id);
  const alike: TrelloCard[] = [];
  for await (const cards of readCardFaces(io.session, io.boardId)) alike.push(...cards.filter(isAlike));
  if (alike.length === 0) return null;
  let before = 0;
  for (const { path, title } of order.cards.slice(0, index)) {
    if (title !== card.name) continue;
    const other = cardSchema.parse(await io.snapshot.readRecord(path));
    if (other.idList === card.idList && other.pos === card.pos) before += 1;
  }
  const found = unclaimed(alike, before);
  return found && { id: found.id, shortLink: found.shortLink ?? "", shortUrl: found.shortUrl };
}
