import { unclaimed } from "#connectors/toolkit/records/make-once.ts";
import { paths } from "../client.ts";
import { checklistSchema, checklistsSchema, type TrelloChecklist } from "../payloads.ts";
import type { CardRestore, CardStep } from "./card-step.ts";
import { postThing } from "./make-series.ts";

/** Creates a checklist, then its items one by one. `earlier` are the card's previous checklists. */
export function checklistSteps(
  { io, state }: CardRestore,
  checklist: TrelloChecklist,
  earlier: readonly TrelloChecklist[],
): CardStep[] {
  const keyOf = ({ name, pos }: { name: string; pos: number }) => JSON.stringify([name.trim(), pos]);
  const key = keyOf(checklist);
  const before = earlier.filter((each) => keyOf(each) === key).length;
  const { name, pos } = checklist;
  const first: CardStep = {
    what: `Checklist ${name}`,
    kind: "checklist",
    run: async () => {
      const body = { idCard: state.id, name, pos };
      const created = await io.maker.make<{ id: string }>({
        look: async () => {
          const call = {
            method: "GET",
            path: paths.cardChecklists(state.id),
            about: "the new checklists",
          } as const;
          const there = await io.client.request(call, checklistsSchema);
          return unclaimed(
            there.filter((each) => keyOf(each) === key),
            before,
          );
        },
        create: () => postThing(io, paths.checklists, body, `the checklist ${name}`),
      });
      state.made[checklist.id] = created.id;
    },
  };
  const items = checklist.checkItems.map((item, index): CardStep => {
    const itemKey = keyOf(item);
    const itemsBefore = checklist.checkItems.slice(0, index).filter((each) => keyOf(each) === itemKey).length;
    return {
      what: `Item ${item.name}`,
      kind: null,
      run: async () => {
        const id = state.made[checklist.id];
        if (id === undefined) return;
        const isMine = item.idMember !== null && item.idMember === io.memberId;
        const body = {
          name: item.name,
          pos: item.pos,
          checked: item.state === "complete",
          ...(item.due === null ? {} : { due: item.due }),
          ...(typeof item.dueReminder === "number" ? { dueReminder: item.dueReminder } : {}),
          ...(isMine ? { idMember: item.idMember } : {}),
        };
        await io.maker.make<{ id: string }>({
          look: async () => {
            const call = { method: "GET", path: paths.checklist(id), about: "the new checklist" } as const;
            const { checkItems } = await io.client.request(call, checklistSchema);
            return unclaimed(
              checkItems.filter((each) => keyOf(each) === itemKey),
              itemsBefore,
            );
          },
          create: () => postThing(io, paths.checkItems(id), body, "an item of a checklist"),
        });
      },
    };
  });
  return [first, ...items];
}
