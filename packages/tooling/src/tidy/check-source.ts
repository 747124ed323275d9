import ts from 'typescript';
import type { Violation } from './violation';

/** The budgets of one source file; tests may be longer because a table of cases is one thought. */
const LINES_MAX = 400;
const TEST_LINES_MAX = 600;
const FUNCTION_LINES_MAX = 70;
const COLUMNS_MAX = 100;
const PARAMETERS_MAX = 5;

/** Reads that have one owner each: everything else takes a port. */
const OWNED_READS: readonly {
  readonly rule: string;
  readonly pattern: RegExp;
  readonly owner: RegExp;
  readonly detail: string;
}[] = [
  {
    rule: 'environment',
    pattern: /\bprocess\.env\b/,
    owner: /^packages\/(config|testkit|tooling)\/|^test-e2e\//,
    detail: 'only packages/config reads process.env',
  },
  {
    rule: 'wall-clock',
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/,
    // The console imports nothing of ours: its clock is the browser's.
    owner: /^packages\/(core|testkit|tooling)\/|^services\/console\/|^test-e2e\//,
    detail: 'only packages/core reads the clock; take a Clock',
  },
];

/** Written in parts, so that these lines do not match themselves. */
const DISABLED_RULE = new RegExp(`(biome-${'ignore'}|eslint-${'disable'}|@ts-${'ignore'})(.*)$`);
const PROMISED_WORK = new RegExp(
  `\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')}|XX${'X'})\\b`,
);

/** True for files whose length is not a matter of style. */
export function isExempt(file: string): boolean {
  return /\/gen\/|\/__fixtures__\/|\.d\.ts$/.test(file);
}

function isTest(file: string): boolean {
  return /\.(test|e2e)\.tsx?$|contract\.ts$/.test(file);
}

/** Checks one TypeScript file against the house style; pure. */
export function checkSource(file: string, text: string): readonly Violation[] {
  if (isExempt(file)) return [];
  const lines = text.split('\n');
  return [
    ...checkLength(file, lines),
    ...lines.flatMap((line, index) => checkLine(file, line, index + 1)),
    ...checkSyntax(file, text),
  ];
}

function checkLength(file: string, lines: readonly string[]): readonly Violation[] {
  const max = isTest(file) ? TEST_LINES_MAX : LINES_MAX;
  const count = lines.length - 1;
  if (count <= max) return [];
  return [{ file, line: 0, rule: 'file-length', detail: `${count} lines, at most ${max}` }];
}

function checkLine(file: string, line: string, number: number): readonly Violation[] {
  const found: Violation[] = [];
  const add = (rule: string, detail: string) => found.push({ file, line: number, rule, detail });
  if (line.length > COLUMNS_MAX && !isUnbreakable(line)) {
    add('columns', `${line.length} columns, at most ${COLUMNS_MAX}`);
  }
  if (PROMISED_WORK.test(line)) add('promised-work', 'do it, or open an issue');
  const disabled = DISABLED_RULE.exec(line);
  if (disabled !== null && !/(:| -- )\s*\S+ \S+/.test(disabled[2] ?? '')) {
    add('disabled-rule', 'a disabled rule needs its reason on the same line');
  }
  if (!isTest(file)) {
    for (const { rule, pattern, owner, detail } of OWNED_READS) {
      if (!owner.test(file) && pattern.test(line)) add(rule, detail);
    }
  }
  return found;
}

/** Biome leaves these alone too: a module path, a test title or a regular expression is one word. */
function isUnbreakable(line: string): boolean {
  const isStatement = /^\s*(import|export|\} from)\b|^\s*(test|it|describe)(\.each)?\(/.test(line);
  return isStatement || /https?:\/\/|['"`/][,;)\]}]*$/.test(line);
}

function checkSyntax(file: string, text: string): readonly Violation[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Violation[] = [];
  const lineOf = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const add = (node: ts.Node, rule: string, detail: string) =>
    found.push({ file, line: lineOf(node.getStart(tree)), rule, detail });

  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) checkFunction(node, add, lineOf, isTest(file));
    if (ts.isEnumDeclaration(node)) add(node, 'enum', 'use a union of literals');
    if (ts.isModuleDeclaration(node)) add(node, 'namespace', 'use a module');
    if (ts.isNonNullExpression(node)) add(node, 'non-null', 'narrow the type instead');
    if (node.kind === ts.SyntaxKind.AnyKeyword) add(node, 'any', 'name the type, or use unknown');
    if (ts.isExportAssignment(node)) add(node, 'default-export', 'export by name');
    if (ts.isIdentifier(node) && node.text === 'console' && isObject(node)) {
      add(node, 'console', 'take a Logger');
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  // Configuration files of other tools must export a default.
  return /\.config\.[cm]?ts$/.test(file)
    ? found.filter((violation) => violation.rule !== 'default-export')
    : found;
}

/** `console.log` and friends, not a property that happens to be called console. */
function isObject(node: ts.Identifier): boolean {
  return ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node;
}

function checkFunction(
  node: ts.SignatureDeclaration,
  add: (node: ts.Node, rule: string, detail: string) => void,
  lineOf: (position: number) => number,
  inTest: boolean,
): void {
  if (node.parameters.length > PARAMETERS_MAX) {
    const detail = `${node.parameters.length} parameters, at most ${PARAMETERS_MAX}`;
    add(node, 'parameters', detail);
  }
  // A describe block or a contract suite is a table of cases, not a function to hold in mind.
  if (inTest) return;
  const lines = ownLines(node, lineOf);
  if (lines > FUNCTION_LINES_MAX) {
    add(node, 'function-length', `${lines} lines of its own, at most ${FUNCTION_LINES_MAX}`);
  }
}

/**
 * Lines of the function without the bodies of functions inside it, which are counted for
 * themselves: a factory that returns an object of small functions is as long as what it does
 * itself.
 */
function ownLines(node: ts.SignatureDeclaration, lineOf: (position: number) => number): number {
  const lengthOf = (inner: ts.Node) => lineOf(inner.end) - lineOf(inner.getStart()) + 1;
  let lines = lengthOf(node);
  const visit = (inner: ts.Node): void => {
    if (ts.isFunctionLike(inner)) lines -= lengthOf(inner) - 1;
    else ts.forEachChild(inner, visit);
  };
  ts.forEachChild(node, visit);
  return lines;
}
