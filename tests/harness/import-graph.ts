import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { ROOT } from "#workers/commands/tools.ts";

/**
 * The number of imports between a file and each of our files that it loads; the file itself is at 0. Type imports load
 * nothing and do not count. An `import()` does, and so does a file named by `new URL("…", import.meta.url)`.
 */
export function importsOf(file: string): ReadonlyMap<string, number> {
  const found = measured.get(file) ?? measure(file);
  measured.set(file, found);
  return found;
}

const measured = new Map<string, ReadonlyMap<string, number>>();

function measure(file: string): ReadonlyMap<string, number> {
  const distances = new Map([[file, 0]]);
  for (const [from, distance] of distances) {
    for (const to of importedBy(from)) if (!distances.has(to)) distances.set(to, distance + 1);
  }
  return distances;
}

const known = new Map<string, string[]>();

function importedBy(file: string): string[] {
  const found = known.get(file) ?? readImports(file);
  known.set(file, found);
  return found;
}

function readImports(file: string): string[] {
  if (!/\.tsx?$/.test(file)) return [];
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(ROOT, file), "utf8"),
    ts.ScriptTarget.Latest,
  );
  const names: string[] = [];
  const note = (name: ts.Node | undefined) => {
    if (name && ts.isStringLiteralLike(name)) names.push(name.text);
  };
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) {
      if (!node.importClause?.isTypeOnly) note(node.moduleSpecifier);
    } else if (ts.isExportDeclaration(node)) {
      if (!node.isTypeOnly) note(node.moduleSpecifier);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      note(node.arguments[0]);
    } else if (ts.isNewExpression(node) && node.arguments?.[1]?.getText(source) === "import.meta.url") {
      note(node.arguments[0]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names
    .map((name) => (name.startsWith("#") ? name.slice(1) : path.join(path.dirname(file), name)))
    .filter((name, at) => /^[.#]/.test(names[at]!) && isFile(path.join(ROOT, name)));
}

const isFile = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
