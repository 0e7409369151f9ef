import { BaseSequencer, type TestSpecification } from "vitest/node";
import { WORLDS } from "../rotation/rotation.ts";

/** Vitest's order, but simulated worlds first: they take a minute, for which one core would wait alone at the end. */
export class WorldsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isWorld = ({ moduleId }: TestSpecification) => moduleId.endsWith(WORLDS);
    const sorted = await super.sort(files);
    return [...sorted.filter(isWorld), ...sorted.filter((file) => !isWorld(file))];
  }
}
