import { expect, test } from "vitest";
import { restoreCopy } from "#app/copy/restore.ts";
import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { itemOf, rowOf } from "#tests/harness/view-fixtures.ts";
import {
  answersReason,
  checkRestore,
  defaultRestoreName,
  entriesReason,
  proposedTarget,
  type RestoreEntries,
  type RestoreRules,
  readEmails,
  restorableVersions,
  restoreReason,
  restoreRequest,
  restoreRules,
  UNNAMED,
} from "./restore-form.ts";

const entries: RestoreEntries & { snapshotId: string } = {
  snapshotId: "snp_0",
  into: "new",
  name: "",
  placeId: "plc_1",
  emails: "",
  answers: {},
};
const rules: RestoreRules = { targets: ["new"], offersPlace: true, needsPlace: true, nameLimit: 100 };
const place = {
  id: "plc_1",
  connectionId: "con_1",
  externalId: "77",
  name: "meridian-freight",
  type: "Organization",
  isOwn: false,
  facts: { node_id: "O_77" },
};

/** A platform with a name rule, and with a second kind that has no name and no place. */
const descriptor: PlatformDescriptor = {
  id: "forge",
  label: "Forge",
  summary: "Code",
  homeUrl: "https://forge.example",
  itemKinds: [
    { id: "project", one: "project", many: "projects", isSub: false },
    { id: "paste", one: "paste", many: "pastes", isSub: true, isUnnamed: true },
  ],
  supports: {
    places: true,
    restoreToPlace: true,
    restores: { whole: ["new"], parts: { kinds: ["card"], into: ["existing", "new"] } },
    incrementalSize: false,
    gitClone: false,
  },
  names: { kinds: ["card"] },
  limits: {
    restoredNameLength: 100,
    editableItems: 1_000,
    restoredNameRule: { pattern: "[A-Za-z0-9]+(?:[ .+_-][A-Za-z0-9]+)*", message: "Not like that." },
  },
};

const EXISTING_ONLY = { whole: ["existing"], parts: null } as const;

test("[P-247] [P-249] an empty name keeps Restore enabled and sends the original with _restored", () => {
  expect(restoreReason(entries, rules, false, [rowOf()])).toBeNull();
  expect(restoreRequest(itemOf(), entries, [place], rules).items[0]?.name).toBe("carrier-sync_restored");
  expect(restoreRequest(itemOf(), { ...entries, name: " new " }, [place], rules).items[0]?.name).toBe("new");
});

test("[P-248] a name beyond the limit is refused, and a long original still gives a valid one", () => {
  expect(checkRestore({ ...entries, name: "x".repeat(100) }, rules).name).toBeNull();
  expect(checkRestore({ ...entries, name: "x".repeat(101) }, rules).name).toBe("At most 100 characters.");
  const name = defaultRestoreName("y".repeat(98), 100);
  expect(name).toHaveLength(100);
  expect(name.endsWith("y_restored")).toBe(true);
  // Jira names a restored project itself, with at most 80 characters.
  const named = descriptors.filter(({ itemKinds }) => itemKinds.some((kind) => !("isUnnamed" in kind)));
  for (const each of named) expect([each.id, each.limits.restoredNameLength]).toEqual([each.id, 100]);
});

test("the request has name, place with its four fields, and the e-mail addresses as a comma-separated list", () => {
  const request = restoreRequest(itemOf(), { ...entries, emails: "a@b.co, c@d.co" }, [place], rules);
  expect(request).toEqual({
    items: [
      {
        itemId: "itm_1",
        snapshotId: "snp_0",
        name: "carrier-sync_restored",
        place: { id: "77", name: "meridian-freight", node_id: "O_77", type: "Organization" },
        options: {},
      },
    ],
    placeId: "plc_1",
    emails: "a@b.co,c@d.co",
  });
});

test("[A-298] [A-299] [A-300] [A-301] [A-302] [P-256] [P-257] e-mail addresses are an optional comma-separated list; spaces are removed", () => {
  expect(readEmails("")).toEqual([]);
  expect(readEmails(" a@b.co , c@d.co")).toEqual(["a@b.co", "c@d.co"]);
  const fault = (emails: string) => checkRestore({ ...entries, emails }, rules).emails;
  expect([fault(""), fault("a@b.co,c@d.co"), fault("a@b.co , c@d.co ")]).toEqual([null, null, null]);
  for (const text of ["zzz", "a@b.co,zzz", "zzz,a@b.co", "a@b.co,zzz,c@d.co", "a@b.co,,c@d.co", ",a@b.co"])
    expect([text, fault(text)]).toEqual([text, "Invalid email format"]);
  for (const text of ["a@b.co,", "a@b.co , ", ","])
    expect(fault(text)).toBe("Please, write email after comma");
  const long = `${"a".repeat(45)}@b.co`;
  expect(fault(long)).toBeNull();
  expect(fault(`a${long}`)).toBe("Invalid email format");
  const many = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@b.co`).join(",");
  expect(fault(many(10))).toBeNull();
  expect(fault(many(11))).toBe("At most 10 addresses.");
});

test("[P-259] [P-265] an invalid form disables Restore with its reason", () => {
  const invalid = restoreCopy.reasons.invalid;
  expect(restoreReason({ ...entries, emails: "zzz" }, rules, false, [rowOf()])).toBe(invalid);
  expect(restoreReason({ ...entries, name: "x".repeat(101) }, rules, false, [rowOf()])).toBe(invalid);
});

test("[P-260] [P-261] a running action disables Restore with the spec's sentence", () => {
  expect(restoreReason(entries, rules, true, [rowOf()])).toBe(
    "Please wait until another element has completed its action.",
  );
});

test("[P-263] a missing choice of place disables Restore, unless no place is needed", () => {
  const unplaced = { ...entries, placeId: null };
  expect(restoreReason(unplaced, rules, false, [rowOf()])).toBe(restoreCopy.reasons.place);
  expect(restoreReason(unplaced, { ...rules, needsPlace: false }, false, [rowOf()])).toBeNull();
});

test("where places are not added one by one, the account's own is preselected and another can be chosen", () => {
  const own = { ...place, id: "11", externalId: "11", name: "nora", isOwn: true };
  const free = { ...descriptor, supports: { ...descriptor.supports, places: false } };
  const of = restoreRules(free, "project", [own, place]);
  expect(of).toMatchObject({ offersPlace: true, needsPlace: false });
  const unplaced = { ...entries, placeId: null };
  expect(restoreReason(unplaced, of, false, [rowOf()])).toBeNull();
  const sent = (placeId: string | null) =>
    restoreRequest(itemOf(), { ...entries, placeId }, [own, place], of).items[0]?.place?.id;
  expect([sent(null), sent("plc_1"), sent("plc_gone")]).toEqual(["11", "77", "11"]);
  expect(restoreRules(free, "paste", [own, place]).offersPlace).toBe(false);
  expect(restoreRules(free, "project", []).offersPlace).toBe(false);
});

test("[P-262] if the account has no own place, another one must be chosen", () => {
  const trello = descriptors.find(({ id }) => id === "trello");
  const of = restoreRules(trello, "board", [place]);
  expect(of).toMatchObject({ offersPlace: true, needsPlace: true });
  expect(restoreReason({ ...entries, placeId: null }, of, false, [rowOf()])).toBe(restoreCopy.reasons.place);
  expect(restoreReason({ ...entries, placeId: place.id }, of, false, [rowOf()])).toBeNull();
  expect(restoreRequest(itemOf(), { ...entries, placeId: null }, [place], of).items[0]?.place).toBeNull();
});

test("a restore into an existing item needs a target, no name and no place, and sends the target's id", () => {
  const boards = { ...descriptor, supports: { ...descriptor.supports, restores: EXISTING_ONLY } };
  const of = restoreRules(boards, "project", [place]);
  expect(proposedTarget(of, null)).toBeNull();
  const open = { ...entries, into: null, placeId: null };
  expect(restoreReason(open, of, false, [rowOf()])).toBe(restoreCopy.reasons.target);
  const chosen = { ...open, into: { externalId: "OPS2" }, name: "-wrong-" };
  expect(restoreReason(chosen, of, false, [rowOf()])).toBeNull();
  const [item] = restoreRequest(itemOf(), chosen, [place], of).items;
  expect(item).toMatchObject({ into: "OPS2", place: null });
  expect(restoreRequest(itemOf(), entries, [place], rules).items[0]).not.toHaveProperty("into");
});

test("a part goes back to its source by default", () => {
  const of = restoreRules(descriptor, "project", [place], true);
  expect(proposedTarget(of, "77")).toEqual({ externalId: "77" });
  expect(proposedTarget(of, null)).toBeNull();
  expect(proposedTarget(restoreRules(descriptor, "project", [place]), "77")).toBe("new");
  const unplaced = { ...entries, placeId: null };
  expect(entriesReason(unplaced, of)).toBe(restoreCopy.reasons.place);
  expect(entriesReason({ ...unplaced, into: { externalId: "77" } }, of)).toBeNull();
});

test("a missing required answer disables Restore and names it", () => {
  const things = { one: "column", many: "columns" };
  const left = ["1", "2", "3"].map((id) => ({ id, label: id }));
  const matching = {
    ...{ type: "matching", name: "columns", label: "Match columns", help: "", things, left, right: left },
    ...{ default: {}, suggested: [], isRequired: true },
  } as const satisfies RestoreQuestion;
  const reason = (columns: Record<string, string | null>) => answersReason([matching], { columns });
  expect(reason({ 1: "2" })).toBe("2 columns open");
  expect(reason({ 1: "2", 2: null })).toBe("1 column open");
  expect(reason({ 1: "2", 2: null, 3: "3" })).toBeNull();
  const choice: RestoreQuestion = {
    ...{ type: "choice", name: "mode", label: "How", help: "", options: [], default: null },
  };
  expect(answersReason([choice], {})).toBe("Choose: How");
  const text: RestoreQuestion = {
    ...{ type: "text", name: "prefix", label: "Prefix", help: "", maxLength: 2, default: "" },
  };
  expect(answersReason([text], { prefix: "abc" })).toBe(restoreCopy.reasons.invalid);
});

test("[P-160] a version that may not be restored is neither offered nor accepted", () => {
  const refused = rowOf({ canRestore: false });
  expect(restoreReason(entries, rules, false, [refused])).toBe(restoreCopy.reasons.forbidden);
  expect(restoreReason({ ...entries, snapshotId: null }, rules, false, [rowOf()])).toBe(
    restoreCopy.reasons.version,
  );
  const rows = [
    refused,
    rowOf({ type: "restore" }),
    rowOf({ status: "failed", snapshotId: null }),
    rowOf({ key: "run_good" }),
  ];
  expect(restorableVersions(rows).map((row) => row.key)).toEqual(["run_good"]);
});

test("[P-250] [P-251] a kind without names shows N/A, sends no name and needs no place", () => {
  const of = restoreRules(descriptor, "paste", [place]);
  expect(of).toMatchObject({ isUnnamed: true, needsPlace: false });
  expect(UNNAMED).toBe("N/A");
  const typed = { ...entries, placeId: null, name: "-wrong-" };
  expect(restoreReason(typed, of, false, [rowOf()])).toBeNull();
  expect(restoreRequest(itemOf(), typed, [place], of).items[0]).toMatchObject({ name: null, place: null });
  expect(restoreRules(descriptor, "project", [place])).toMatchObject({ isUnnamed: false, needsPlace: true });
  const github = descriptors.find(({ id }) => id === "github");
  expect(restoreRules(github, "gist", [place])).toMatchObject({ isUnnamed: true, needsPlace: false });
  expect(restoreRules(github, "repository", [place])).toMatchObject({ isUnnamed: false, needsPlace: true });
});

test("a violated name rule shows its own sentence, and an empty name violates none", () => {
  const of = restoreRules(descriptor, "project", []);
  const fault = (name: string) => checkRestore({ ...entries, name }, of).name;
  for (const name of ["-a", "a-", "a..b", "a -b", "a_-b"])
    expect([name, fault(name)]).toEqual([name, "Not like that."]);
  for (const name of ["", "  ", "a", "a b.c", "x_restored"])
    expect([name, fault(name)]).toEqual([name, null]);
  expect(restoreReason({ ...entries, name: "-a" }, of, false, [rowOf()])).toBe(restoreCopy.reasons.invalid);
});

test("[P-252] [P-253] [P-254] [P-255] GitLab's names start and end with a letter or number, with single separators inside", () => {
  const gitlab = descriptors.find(({ id }) => id === "gitlab");
  const of = restoreRules(gitlab, gitlab?.itemKinds[0]?.id ?? "", []);
  const fault = (name: string) => checkRestore({ ...entries, name }, of).name;
  const sentence =
    "Name must start with a letter or number. Names cannot contain spaces, dots, dashes, or special characters.";
  for (const name of ["-a", "a-", ".a", "a ", "a..b", "a -b", "a+_b", "a/b", "a:b", "_"]) {
    // Spaces around a name are ignored.
    expect([name, fault(name)]).toEqual([name, name.trim() === "a" ? null : sentence]);
  }
  for (const name of ["a", "a b.c", "2025", "été", "a+b_c-d", "x_restored"]) {
    expect([name, fault(name)]).toEqual([name, null]);
  }
  for (const one of " .+_-") {
    expect([one, fault(`a${one}b`)]).toEqual([one, null]);
    for (const other of " .+_-")
      expect([one, other, fault(`a${one}${other}b`)]).toEqual([one, other, sentence]);
  }
});

test("GitHub's names have only the characters that GitHub keeps, so that none changes without notice", () => {
  const github = descriptors.find(({ id }) => id === "github");
  const of = restoreRules(github, github?.itemKinds[0]?.id ?? "", []);
  const fault = (name: string) => checkRestore({ ...entries, name }, of).name;
  for (const name of ["bad name/..", "a b", "été", "..", "a.git", "x.wiki", "a/b"])
    expect([name, fault(name)]).toEqual([name, expect.stringContaining("letters without accents")]);
  for (const name of ["a", "a.b-c_d", "A9", ".github", "git", "a.gitx", "x_restored"])
    expect([name, fault(name)]).toEqual([name, null]);
});
