import { expect, test } from "vitest";
import type {
  PlatformConnector,
  RestoreEvent,
  RestoreOrder,
} from "#connectors/contract/platform-connector.ts";
import type { RestoreAnswers } from "#connectors/contract/restore-question.ts";
import { completeAnswers, faultOf } from "#core/restores/restore-answers.schema.ts";
import { samplePoints, sweep } from "#tests/harness/sample.ts";
import { createdBy, promisedBy } from "../expect-plan-kept.ts";
import type { MemorySnapshot } from "../memory-snapshot.ts";
import { memoryJournal, runRestore, type TestSession } from "../test-session.ts";
import { treesOf } from "../trees-of.ts";
import { failureOf, kindsOf, orderNamed, type Suite } from "./suite.ts";

const DEATH = "The worker died.";
/** Repeated restores take long on a busy machine. */
const PATIENCE_MS = 240_000;
/**
 * How many journal entries a restore dies at, and how many requests lose their response, between the first and the
 * last.
 */
const DEATHS = 2;
const LOST_ANSWERS = 1;

/** A restore: one complete new item, created once, and a report. */
export function describeRestore(name: string, suite: Suite): void {
  const { connector, world, session } = suite;
  const isUnnamed = () =>
    connector.descriptor.itemKinds.some((kind) => kind.id === world().kind && "isUnnamed" in kind);
  const take = async () => {
    const item = await suite.getItem(world().item);
    return { item, snapshot: await suite.backUp(item) };
  };
  const idsOf = async () => new Set(await suite.known());
  /** Ids of items, or of things in a single item, that exist now and did not before. */
  const newSince = async (before: ReadonlySet<string>): Promise<string[]> =>
    (await suite.known()).filter((id) => !before.has(id));

  test(`${name}: a restore creates a new item with the same branches and never changes the original`, async () => {
    const { item, snapshot } = await take();
    const before = await world().fingerprint(world().item);
    const name = `${item.name}_restored`;
    const done = await suite.restore(snapshot, name);
    expect(done.item.externalId).not.toBe(item.externalId);
    expect(await world().fingerprint(world().item)).toBe(before);
    const { item: restored, by } = await suite.open(done.item);
    if (!isUnnamed()) expect(world().single ? done.item.name : restored.name).toBe(name);
    if (!world().single) expect(done.item.webUrl).toBe(connector.webUrl(world().config, restored));
    const again = await suite.backUp(restored, null, by);
    expect(await branchesOf(suite, again)).toEqual(await branchesOf(suite, snapshot));
    expectReport(connector, done.events);
  });

  test(`${name}: a plan makes no request and equals its restore`, async () => {
    const { item, snapshot } = await take();
    const before = await idsOf();
    const name = `${item.name}_planned`;
    const order = orderNamed(world(), name);
    const account = { accountName: world().accountName };
    const plan = await connector.planRestore(account, snapshot, order);
    expect(await connector.planRestore(account, snapshot, order)).toEqual(plan);
    expect(await newSince(before)).toEqual([]);
    const done = await suite.restore(snapshot, name);
    expect(promisedBy(plan)).toEqual(createdBy(done.events));
    for (const { one, many } of plan.creates) expect([one, many]).not.toContain("");
    for (const line of [...plan.changed, ...plan.impossible]) {
      expect(line.what).not.toBe("");
      expect(line.reason).not.toBe("");
    }
    const { reads, writes, creations, waitMs, bytes } = plan.cost;
    expect(Math.min(reads, creations, waitMs, bytes)).toBeGreaterThanOrEqual(0);
    expect(writes).toBeGreaterThanOrEqual(Math.max(1, creations));
  });

  test(`${name}: targets that the descriptor does not offer are neither planned nor restored`, async () => {
    const { item, snapshot } = await take();
    const before = await world().fingerprint(world().item);
    const known = await idsOf();
    const { whole, parts } = connector.descriptor.supports.restores;
    const order = orderNamed(world(), `${item.name}_refused`);
    const { externalId, fullName } = item;
    const existing = { kind: "existing", item: { externalId, name: item.name, fullName } } as const;
    const refused: RestoreOrder[] = [...snapshot.entries.values()]
      .filter(({ info }) => !parts?.kinds.includes(info.kind))
      .slice(0, 1)
      .map(({ info }) => ({ ...order, part: info.path }));
    if (!whole.some((kind) => kind === "existing")) refused.push({ ...order, target: existing });
    for (const wrong of refused) {
      const account = { accountName: world().accountName };
      expect((await failureOf(connector.planRestore(account, snapshot, wrong))).kind).toBe("unsupported");
      const restore = runRestore(connector.restore(session(), snapshot, wrong, memoryJournal()));
      expect((await failureOf(restore)).kind).toBe("unsupported");
    }
    expect(await newSince(known)).toEqual([]);
    expect(await world().fingerprint(world().item)).toBe(before);
  });

  test(`${name}: questions are stable, and an unknown answer means the default`, async () => {
    const { item, snapshot } = await take();
    const { answers: _, ...order } = orderNamed(world(), `${item.name}_asked`);
    const ask = async () => (await connector.restoreQuestions?.(session(), snapshot, order)) ?? [];
    const questions = await ask();
    expect(await ask()).toEqual(questions);
    const names = questions.map((question) => question.name);
    expect(new Set(names).size).toBe(names.length);
    for (const question of questions) expect([question.name, question.label]).not.toContain("");
    if (!connector.descriptor.supports.restores.needsAnswers) {
      const open = questions.filter(
        (question) => faultOf(question, completeAnswers([question], {})) !== null,
      );
      expect([...open, ...questions.filter(({ type }) => type === "text")]).toEqual([]);
    }
    const account = { accountName: world().accountName };
    const plan = (answers: RestoreAnswers) => connector.planRestore(account, snapshot, { ...order, answers });
    const usual = completeAnswers(questions, {});
    expect(completeAnswers(questions, usual)).toEqual(usual);
    const strange = Object.fromEntries(names.map((name) => [name, { strange: "answer" }]));
    for (const answers of [{}, { stranger: true }, strange])
      expect(await plan(answers)).toEqual(await plan(usual));
  });

  test(`${name}: a restore under a taken name overwrites nothing`, async () => {
    const { item, snapshot } = await take();
    const before = await world().fingerprint(world().item);
    const known = await idsOf();
    const done = await suite.restore(snapshot, item.name);
    expect(await newSince(known)).toEqual([done.item.externalId]);
    expect(await world().fingerprint(world().item)).toBe(before);
  });

  test(
    `${name}: a restore interrupted at any journal entry resumes without duplicates and with a complete report`,
    async () => {
      const { item, snapshot } = await take();
      const counting = memoryJournal();
      const whole = await suite.restore(snapshot, `${item.name}_whole`, { journal: counting });
      const wanted = await shapeOf(suite, whole.item);
      const notes = counting.recorded();
      expect(notes).toBeGreaterThan(0);
      await sweep(async () => {
        for (const death of samplePoints(notes, DEATHS)) {
          const known = await idsOf();
          const name = `${item.name}_note_${death}`;
          const journal = memoryJournal();
          journal.failAt = death;
          const first = suite.restore(snapshot, name, { journal });
          await expect(first, `dead at note ${death} of ${notes}`).rejects.toThrow(new Error(DEATH));
          journal.failAt = null;
          const { item: made, events } = await suite.restore(snapshot, name, { journal });
          expect(await newSince(known)).toEqual([made.externalId]);
          expect(await shapeOf(suite, made), `dead at note ${death}`).toEqual(wanted);
          expect(told(events, made.name), `dead at note ${death}`).toEqual(
            told(whole.events, whole.item.name),
          );
        }
      });
    },
    PATIENCE_MS,
  );

  test(
    `${name}: a restore that loses the response to any request resumes without duplicates`,
    async () => {
      const { item, snapshot } = await take();
      const counting = session();
      const whole = await suite.restore(snapshot, `${item.name}_counted`, { by: counting });
      const wanted = await shapeOf(suite, whole.item);
      await sweep(async () => {
        for (const lost of samplePoints(counting.requests.length, LOST_ANSWERS)) {
          const known = await idsOf();
          const name = `${item.name}_lost_${lost}`;
          const journal = memoryJournal();
          await suite.restore(snapshot, name, { journal, by: dyingAt(session, lost) }).catch(() => undefined);
          const { item: made } = await suite.restore(snapshot, name, { journal });
          expect(await newSince(known)).toEqual([made.externalId]);
          expect(await shapeOf(suite, made), `lost the answer to request ${lost}`).toEqual(wanted);
        }
      });
    },
    PATIENCE_MS,
  );

  test(
    `${name}: a restore that hands over at every checkpoint gives the same result`,
    async () => {
      const { item, snapshot } = await take();
      const whole = await suite.restore(snapshot, `${item.name}_sliced`);
      const handovers = whole.events.filter(({ type }) => type === "checkpoint").length;
      const journal = memoryJournal();
      const known = await idsOf();
      const order = orderNamed(world(), `${item.name}_slices`);
      for (let slice = 0; slice <= handovers; slice++) {
        let met = 0;
        const events: RestoreEvent[] = [];
        const run = connector.restore(session(), snapshot, order, journal);
        for (let step = await run.next(); ; step = await run.next()) {
          if (step.done === true) {
            expect(await shapeOf(suite, step.value)).toEqual(await shapeOf(suite, whole.item));
            expect(told(events, step.value.name)).toEqual(told(whole.events, whole.item.name));
            expect(await newSince(known)).toEqual([step.value.externalId]);
            return;
          }
          events.push(step.value);
          // Each slice gets one checkpoint further than the previous one.
          if (step.value.type === "checkpoint" && met++ === slice) break;
        }
        await run.return(whole.item);
      }
      throw new Error("The restore does not end.");
    },
    PATIENCE_MS,
  );
}

/** A session whose n-th response is lost after the platform has handled the request. */
function dyingAt(session: Suite["session"], point: number): TestSession {
  let sent = 0;
  return session({
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (++sent >= point) {
        await answer.body?.cancel();
        throw new Error(DEATH);
      }
      return answer;
    },
  });
}

/** Checks the report's sentences: what was restored, what changed, what is impossible, and which numbers changed. */
function expectReport(
  { entryKinds, restoredKinds = entryKinds }: PlatformConnector,
  events: readonly RestoreEvent[],
): void {
  expect(events.some(({ type }) => type === "restored")).toBe(true);
  for (const event of events) {
    if (event.type === "restored") expect([event.kind, event.count > 0]).toEqual([event.kind, true]);
    if (event.type === "changed" || event.type === "impossible" || event.type === "missing") {
      expect(event.what.trim()).not.toBe("");
      expect(event.reason).toMatch(/^\p{Lu}.*[.!?]$/su);
    }
    if (event.type === "mapped") expect(event.from).not.toBe(event.to);
    if (event.type === "restored" || event.type === "mapped")
      expect(restoredKinds).toHaveProperty(event.kind);
  }
}

/** The report without the item's name, which differs between restores. */
function told(events: readonly RestoreEvent[], name: string): string[] {
  return events
    .filter(({ type }) => type !== "progress" && type !== "checkpoint")
    .map((event) => JSON.stringify(event.type === "mapped" ? withoutChance(event) : event))
    .map((line) => line.replaceAll(name, "NAME"))
    .sort();
}

/** Numbers follow from the restored content. Ids and addresses differ each time. */
function withoutChance(event: Extract<RestoreEvent, { type: "mapped" }>): object {
  return { ...event, to: /^[#!$]?\d+$/.test(event.to) ? event.to : null, url: null };
}

/** Entry counts of a restored item by kind, and its branches. */
async function shapeOf(suite: Suite, made: { externalId: string; fullName: string }) {
  const { item, by } = await suite.open(made);
  const snapshot = await suite.backUp(item, null, by);
  const { state: _state, ...kinds } = kindsOf(snapshot);
  return { kinds, branches: await branchesOf(suite, snapshot) };
}

/** Branches and tags, which a restore reproduces exactly. */
async function branchesOf({ connector }: Suite, snapshot: MemorySnapshot): Promise<string[]> {
  // The first tree is the main one. A wiki may need a manual step at the platform before it can be restored.
  const [main] = await treesOf(connector, snapshot);
  return [main].flatMap((open) =>
    (open?.tree.refs ?? [])
      .filter(({ kind }) => kind === "branch" || kind === "tag")
      .map((ref) => `${ref.name} ${ref.id}`),
  );
}
