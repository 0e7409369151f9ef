import path from "node:path";
import ts from "typescript";

/** A source file, by its path from the root. */
export type Source = { name: string; text: string };

/** The types that hold every service of their area. Other types of services pick from them. */
const WHOLE = ["CoreServices", "Services", "AccountsDeps", "FederationDeps"];
/** A function that uses this share of a whole type may take it. */
const NEARLY_ALL = 0.8;
/** Stands for all services where syntax alone cannot say which are used. */
const ANY = "*";

type File = Source & {
  types: Map<string, ts.TypeNode>;
  functions: Map<string, ts.SignatureDeclaration>;
  /** Local name → where it comes from: a file, or a folder for its `index.ts`. */
  imports: Map<string, { name: string; from: string }>;
};
type Project = readonly File[];

/**
 * The functions that take services without using them, each as `file name: services`. A function uses the services that
 * it reads and those that the functions take to which it passes them, so each function is judged by itself. Calls are
 * followed by name and import. A use that cannot be followed counts as a use of everything.
 */
export function unusedServices(sources: readonly Source[]): string[] {
  const project: Project = sources.map(readFile);
  return project.flatMap((file) =>
    [...file.functions].flatMap(([name, declared]) =>
      declared.parameters.flatMap((parameter) => {
        const taken = servicesOf(project, parameter.type, file);
        if (!taken || !("body" in declared) || !declared.body) return [];
        const used = usedBy(project, declared, parameter, file);
        const isNearlyAll = used.size >= taken.size * NEARLY_ALL;
        if (used.has(ANY) || (WHOLE.includes(parameter.type?.getText() ?? "") && isNearlyAll)) return [];
        const unused = [...taken].filter((service) => !used.has(service));
        return unused.length > 0 ? [`${file.name} ${name}: ${unused.join(", ")}`] : [];
      }),
    ),
  );
}

/** The declarations of a file. Functions without a name are left out: nobody annotates them with services. */
function readFile({ name, text }: Source): File {
  const file: File = { name, text, types: new Map(), functions: new Map(), imports: new Map() };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeAliasDeclaration(node)) file.types.set(node.name.text, node.type);
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.name)
      file.functions.set(node.name.getText(), node);
    if (ts.isArrowFunction(node) && ts.isVariableDeclaration(node.parent))
      file.functions.set(node.parent.name.getText(), node);
    if (ts.isImportSpecifier(node)) {
      const from = (node.parent.parent.parent.moduleSpecifier as ts.StringLiteral).text;
      const origin = from.startsWith("#") ? from.slice(1) : path.join(path.dirname(name), from);
      const original = (node.propertyName ?? node.name).text;
      file.imports.set(node.name.text, { name: original, from: origin.replace(/index\.ts$/, "") });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  return file;
}

/** Finds a declaration by its name in a file: its own, or one of the module that the file imports. */
function find<T>(
  project: Project,
  kind: (file: File) => Map<string, T>,
  name: string,
  at: File,
): [T, File] | null {
  const own = kind(at).get(name);
  if (own) return [own, at];
  const imported = at.imports.get(name);
  if (!imported) return null;
  const file = project.find((each) => each.name.startsWith(imported.from) && kind(each).has(imported.name));
  return file ? [kind(file).get(imported.name)!, file] : null;
}

/** The services that a type names. Null = it is no type of services. */
function servicesOf(project: Project, type: ts.TypeNode | undefined, at: File): Set<string> | null {
  if (!type) return null;
  if (ts.isIntersectionTypeNode(type)) {
    const parts = type.types.map((each) => servicesOf(project, each, at) ?? propertiesOf(each));
    return parts.every((part) => part !== null) ? new Set(parts.flatMap((part) => [...part])) : null;
  }
  if (!ts.isTypeReferenceNode(type)) return null;
  const name = type.typeName.getText();
  const [first, last] = type.typeArguments ?? [];
  if (name === "Uses" && first) return literalsOf(first);
  if (name === "Pick" && last) return servicesOf(project, first, at) && literalsOf(last);
  const found = /(Services|Deps)$/.test(name) ? find(project, (file) => file.types, name, at) : null;
  if (!found) return null;
  const properties = propertiesOf(found[0]);
  return properties ? new Set(properties) : servicesOf(project, ...found);
}

/** The services that a function uses of a parameter. */
function usedBy(project: Project, caller: ts.Node, { name }: ts.ParameterDeclaration, at: File): Set<string> {
  if (!ts.isIdentifier(name)) return new Set(namesIn(name));
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isProperty = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
    if (ts.isIdentifier(node) && node !== name && node.text === name.text && !isProperty)
      for (const service of usedAt(project, node, caller, at)) used.add(service);
    ts.forEachChild(node, visit);
  };
  visit(caller);
  return used;
}

/** The services that one mention of a parameter uses. */
function usedAt(project: Project, mention: ts.Identifier, caller: ts.Node, at: File): string[] {
  const { parent } = mention;
  if (ts.isPropertyAccessExpression(parent)) return [parent.name.text];
  if (ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name)) return namesIn(parent.name);
  if (ts.isCallExpression(parent)) return readBy(project, parent, mention, caller, at);
  const call = parent.parent.parent;
  if (!ts.isSpreadAssignment(parent) || !ts.isCallExpression(call)) return [ANY];
  const replaced = parent.parent.properties.map(({ name }) => name?.getText());
  return readBy(project, call, parent.parent, caller, at).filter((service) => !replaced.includes(service));
}

/** The services that a call reads from an argument. A function's call of itself reads nothing new. */
function readBy(
  project: Project,
  call: ts.CallExpression,
  argument: ts.Expression,
  caller: ts.Node,
  at: File,
): string[] {
  const found = find(project, (file) => file.functions, call.expression.getText(), at);
  if (!found) return [ANY];
  const [callee, file] = found;
  if (callee === caller) return [];
  const type = callee.parameters[call.arguments.indexOf(argument)]?.type;
  return [...(servicesOf(project, type, file) ?? (type && propertiesOf(type)) ?? [ANY])];
}

const propertiesOf = (type: ts.TypeNode) =>
  ts.isTypeLiteralNode(type) ? type.members.flatMap(({ name }) => (name ? [name.getText()] : [])) : null;

const namesIn = (pattern: ts.BindingPattern) =>
  pattern.elements.flatMap((each) =>
    ts.isBindingElement(each) ? [each.dotDotDotToken ? ANY : (each.propertyName ?? each.name).getText()] : [],
  );

function literalsOf(node: ts.TypeNode): Set<string> {
  const types = ts.isUnionTypeNode(node) ? node.types : [node];
  return new Set(
    types.flatMap((type) =>
      ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? [type.literal.text] : [],
    ),
  );
}
