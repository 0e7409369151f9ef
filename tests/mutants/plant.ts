import ts from "typescript";

/** One possible small mistake in a source file. */
export type Mutant = {
  line: number;
  /** The span of the source that it replaces. */
  start: number;
  end: number;
  isStatement: boolean;
  /** True outside every function: the code runs once, when the module is loaded. */
  isStatic: boolean;
  original: string;
  mutated: string;
};

/** The name under which a woven source reaches every operator of the query builder. */
export const ORM = "ormForMutants";

const SWAPS: Record<string, string[]> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "&&": ["||"],
  "||": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "+=": ["-="],
  "-=": ["+="],
  "&": ["|"],
  "|": ["&"],
  "^": ["&"],
  "<<": [">>>"],
  ">>": ["<<"],
  ">>>": ["<<"],
};
/** Calls that are replaced by another call: of the query builder, of Math, of arrays. */
const ORM_SWAPS: Record<string, string> = {
  eq: "ne",
  ne: "eq",
  lt: "lte",
  lte: "lt",
  gt: "gte",
  gte: "gt",
  isNull: "isNotNull",
  isNotNull: "isNull",
  inArray: "notInArray",
  notInArray: "inArray",
  asc: "desc",
  desc: "asc",
};
const METHOD_SWAPS: Record<string, string> = {
  min: "max",
  max: "min",
  ceil: "floor",
  floor: "ceil",
  some: "every",
  every: "some",
};
const METHODS_TO_DROP = new Set([
  "sort",
  "toSorted",
  "reverse",
  "toReversed",
  "filter",
  "slice",
  "subarray",
  "trim",
  "toLowerCase",
  "toUpperCase",
  "orderBy",
  "onConflictDoNothing",
]);
/** SQL statements and fragments. */
const SQL = /\b(SELECT|UPDATE|INSERT INTO|DELETE FROM|EXISTS|WHERE)\b|\?\d/;
/** Names of calls that only log or assert. */
const SILENT = /^(invariant|console|log|logger)\b|\.(debug|info|warn|error|trace)$/;

/**
 * Every mutant of a source, of the kinds in this file. Skips types, imports, texts for people, logging and `invariant`:
 * no test should need to notice a change there.
 */
export function plantMutants(name: string, source: string): Mutant[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node) => {
    if (isLeftAlone(node)) return;
    for (const mutated of mutationsOf(node)) {
      const start = node.getStart();
      mutants.push({
        line: file.getLineAndCharacterOfPosition(start).line + 1,
        start,
        end: node.getEnd(),
        isStatement: ts.isStatement(node),
        isStatic: !ts.findAncestor(node, ts.isFunctionLike),
        original: node.getText(),
        mutated,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
}

function isLeftAlone(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isCallExpression(node) && SILENT.test(node.expression.getText())) return true;
  return isSetting(node);
}

/** A named number of a module, such as a limit: no test can verify its value. */
function isSetting(node: ts.Node): boolean {
  return (
    ts.isVariableDeclaration(node) &&
    ts.isSourceFile(node.parent.parent.parent) &&
    /^[\d_.\s*+\-/()xa-fA-FA-Z]+$/.test(node.initializer?.getText() ?? "none")
  );
}

function mutationsOf(node: ts.Node): string[] {
  if (ts.isStatement(node)) return isDroppable(node) ? [""] : [];
  // A link of an optional chain cannot be removed from the chain.
  if (!isExpression(node) || node.flags & ts.NodeFlags.OptionalChain) return [];
  const mutations = isText(node) ? mutationsOfText(node) : mutationsOfExpression(node);
  return [...new Set([...mutations, ...mutationsByPlace(node)])];
}

function isExpression(node: ts.Node): node is ts.Expression {
  return ts.isExpression(node) && !ts.isPropertyName(node.parent) && !isNameOfProperty(node);
}

function isNameOfProperty(node: ts.Node): boolean {
  const { parent } = node;
  return (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === node;
}

function isDroppable(node: ts.Statement): boolean {
  if (ts.isThrowStatement(node)) return true;
  if (!ts.isExpressionStatement(node)) return false;
  const inner = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
  if (ts.isCallExpression(inner)) {
    return inner.expression.kind !== ts.SyntaxKind.SuperKeyword && !SILENT.test(inner.expression.getText());
  }
  return ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.EqualsToken;
}

function mutationsOfExpression(node: ts.Expression): string[] {
  if (ts.isBinaryExpression(node)) return mutationsOfBinary(node);
  if (ts.isCallExpression(node)) return mutationsOfCall(node);
  if (ts.isNumericLiteral(node) && !isDefault(node) && !isOneRow(node)) {
    return [String(Number(node.getText().replaceAll("_", "")) + 1)];
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return ["false"];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return ["true"];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return [node.operand.getText()];
  }
  return [];
}

/** A default after `??` often only satisfies the compiler. Removing it is tried where it may matter. */
function isDefault(node: ts.Node): boolean {
  return ts.isBinaryExpression(node.parent) && node.parent.operatorToken.getText() === "??";
}

/** The argument of `.limit(1)`. Only the first row is used, so a second one changes nothing. */
function isOneRow(node: ts.NumericLiteral): boolean {
  const { parent } = node;
  return ts.isCallExpression(parent) && /\.limit$/.test(parent.expression.getText());
}

function mutationsOfBinary(node: ts.BinaryExpression): string[] {
  const [left, operator, right] = [node.left, node.operatorToken, node.right].map((part) => part.getText());
  if (operator === "??") return isCountAboveZero(node) ? [] : [left!];
  // + also joins strings, which cannot be subtracted.
  if (operator === "+" && /["`]/.test(node.getText())) return [];
  const isStep = ts.isForStatement(node.parent) && node.parent.incrementor === node;
  return isStep ? [] : (SWAPS[operator!] ?? []).map((swapped) => `${left} ${swapped} ${right}`);
}

/** `(rows?.length ?? 0) > 0`: undefined fails the comparison just as 0 does. */
function isCountAboveZero(node: ts.BinaryExpression): boolean {
  return (
    node.right.getText() === "0" &&
    />/.test(
      node.parent.parent.getText().slice(node.parent.getText().length, 3 + node.parent.getText().length),
    )
  );
}

function mutationsOfCall(node: ts.CallExpression): string[] {
  const called = node.expression;
  const args = node.arguments.map((each) => each.getText());
  if (ts.isIdentifier(called)) {
    const swapped = ORM_SWAPS[called.text];
    if (swapped) return [`${ORM}.${swapped}(${args.join(", ")})`];
    const isJoin = called.text === "and" || called.text === "or";
    return isJoin
      ? args.map((_, left) => `${called.text}(${args.filter((_, at) => at !== left).join(", ")})`)
      : [];
  }
  if (!ts.isPropertyAccessExpression(called)) return [];
  const owner = called.expression.getText();
  const method = called.name.text;
  if (METHODS_TO_DROP.has(method)) return [owner];
  const isSwap = METHOD_SWAPS[method] && (owner === "Math" || method === "some" || method === "every");
  return isSwap ? [`${owner}.${METHOD_SWAPS[method]}(${args.join(", ")})`] : [];
}

/** Mistakes that depend on the place of an expression. */
function mutationsByPlace(node: ts.Expression): string[] {
  const { parent } = node;
  if ((ts.isIfStatement(parent) && parent.expression === node) || isConditionOfTernary(node)) {
    return ["true", "false"];
  }
  if (ts.isWhileStatement(parent) && node.kind !== ts.SyntaxKind.TrueKeyword) return ["false"];
  if (ts.isSpreadElement(parent) && ts.isArrayLiteralExpression(parent.parent)) return ["[]"];
  if (ts.isSpreadAssignment(parent)) return ["{}"];
  if (ts.isReturnStatement(parent) && answersBoolean(parent) && !ts.isBinaryExpression(node)) {
    return node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword
      ? []
      : [`!(${node.getText()})`];
  }
  if (ts.isObjectLiteralExpression(node) && ts.isCallExpression(parent))
    return withoutOneColumn(node, parent);
  return [];
}

function isConditionOfTernary(node: ts.Expression): boolean {
  return ts.isConditionalExpression(node.parent) && node.parent.condition === node;
}

function answersBoolean(node: ts.ReturnStatement): boolean {
  const owner = ts.findAncestor(node, ts.isFunctionLike);
  return /^(boolean|Promise<boolean>)$/.test(owner?.type?.getText() ?? "");
}

/** A table update without one of its columns. */
function withoutOneColumn(node: ts.ObjectLiteralExpression, call: ts.CallExpression): string[] {
  if (!/\.set$/.test(call.expression.getText()) || node.properties.length < 2) return [];
  const columns = node.properties.map((each) => each.getText());
  return columns.map((_, left) => `{ ${columns.filter((_, at) => at !== left).join(", ")} }`);
}

type Text = ts.StringLiteralLike | ts.TemplateExpression | ts.TaggedTemplateExpression;

function isText(node: ts.Node): node is Text {
  if (ts.isTaggedTemplateExpression(node)) return true;
  if (ts.isTaggedTemplateExpression(node.parent)) return false;
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function mutationsOfText(node: Text): string[] {
  const text = node.getText();
  const isQuery = ts.isTaggedTemplateExpression(node) ? node.tag.getText() === "sql" : SQL.test(text);
  if (isQuery) return mutationsOfSql(text);
  if (ts.isTaggedTemplateExpression(node) || isForPeople(node) || isDefault(node) || isInSql(node)) return [];
  return text.length === 2 ? ['"mutant"'] : ['""'];
}

/** An expression inside an SQL statement: a change would only break its syntax. */
function isInSql(node: ts.Node): boolean {
  const span = ts.findAncestor(node, ts.isTemplateSpan);
  return span !== undefined && SQL.test(span.parent.getText());
}

/** An error message for people. */
function isForPeople(node: ts.Node): boolean {
  const thrown = ts.findAncestor(node, ts.isNewExpression);
  const isOfError = thrown !== undefined && /Error$/.test(thrown.expression.getText());
  return isOfError && (/\s/.test(node.getText()) || ts.isTemplateExpression(node));
}

/** Each rule changes one place of an SQL statement. Text between `${` and `}` belongs to the program. */
const SQL_RULES: [RegExp, string][] = [
  [/(?<=\b(?:WHERE|AND|OR|ON|WHEN)\s+\(?(?:[\w.?]+|\$\{[^}]*\})) = /g, " <> "],
  [/ <> /g, " = "],
  [/ < /g, " <= "],
  [/ <= /g, " < "],
  [/ > /g, " >= "],
  [/ >= /g, " > "],
  [/\bAND\b/g, "OR"],
  [/\bOR\b/g, "AND"],
  [/\bIS NULL\b/g, "IS NOT NULL"],
  [/\bIS NOT NULL\b/g, "IS NULL"],
  [/\bNOT (?=EXISTS|IN)\b/g, ""],
  [/(?<!NOT )\bEXISTS\b/g, "NOT EXISTS"],
  [/(?<!NOT )\bIN \(/g, "NOT IN ("],
  [/\bDESC\b/g, "ASC"],
  [/ \+ (?=\d|\?)/g, " - "],
  [/ON CONFLICT \([\w, ]+\) DO NOTHING/g, ""],
  [/(?<=')\w+(?=')/g, "mutant"],
  [/,\s+\w+ = (?:\?\d+|NULL|'\w+')(?=,|\s+(?:WHERE|FROM))/g, ""],
];

function mutationsOfSql(text: string): string[] {
  return SQL_RULES.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(
      (found) => text.slice(0, found.index) + instead + text.slice(found.index + found[0].length),
    ),
  );
}
