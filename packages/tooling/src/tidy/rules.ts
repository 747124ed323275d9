import { posix } from 'node:path';
import ts from 'typescript';

// Rules that neither Biome nor ESLint can say; their own are in biome.json and eslint.config.mjs.

/** One broken rule of the house style, with where and why. */
export interface Violation {
  readonly file: string;
  /** 1-based; 0 when the whole file is meant. */
  readonly line: number;
  readonly rule: string;
  readonly detail: string;
}

const FUNCTION_LINES_MAX = 70;

/**
 * A function is at most so long, without the functions inside it: they are counted for themselves.
 * Linters count them in, which forbids the factory that returns an object of small functions.
 */
export function checkSource(file: string, text: string): readonly Violation[] {
  // A describe block or a contract suite is a table of cases, not a function to hold in mind.
  if (/\/gen\/|\.d\.ts$|\.(test|e2e)\.tsx?$|contract\.ts$/.test(file)) return [];
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const found: Violation[] = [];
  const visit = (node: ts.Node): void => {
    const lines = ts.isFunctionLike(node) ? ownLines(node, lineOf) : 0;
    if (lines > FUNCTION_LINES_MAX) {
      const detail = `${lines} lines of its own, at most ${FUNCTION_LINES_MAX}`;
      found.push({ file, line: lineOf(node.getStart(tree)), rule: 'function-length', detail });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

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

const VAGUE_FOLDERS: ReadonlySet<string> = new Set([
  'utils',
  'util',
  'shared',
  'common',
  'lib',
  'helpers',
]);

/**
 * No folder has a name that says nothing: linters look at the names of files alone. They pass over
 * `__fixtures__`, which has recorded data, so no code may be there.
 */
export function checkName(file: string): readonly Violation[] {
  const vague = file
    .split('/')
    .slice(0, -1)
    .filter((folder) => VAGUE_FOLDERS.has(folder));
  const found: Violation[] = vague.map((folder) => ({
    file,
    line: 0,
    rule: 'folder-name',
    detail: `"${folder}" names no concept`,
  }));
  if (/\/__fixtures__\/.*\.([cm]?js|tsx?)$/.test(file)) {
    found.push({ file, line: 0, rule: 'fixture-code', detail: 'code of tests is in testing/' });
  }
  return found;
}

const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;
/** Back-ticked repository paths such as `packages/core/src/ids.ts`. */
const FOLDERS = 'protos|services|packages|deploy|test-e2e|docs';
const ENDINGS = 'ts|tsx|cjs|mjs|md|json|ya?ml|proto';
const NAMED = `[A-Za-z0-9._/-]+\\.(?:${ENDINGS})`;
const PATH = new RegExp(`\`((?:${FOLDERS})/${NAMED})\``, 'g');
/** A path that a README names from its own folder; `NAME` stands for a name in it. */
const OWN_PATH = new RegExp(`\`(src/(?!\\S*NAME)${NAMED})\``, 'g');
/** Comments have no back-ticks: a path from the root stands behind a space or a bracket. */
const COMMENTED_PATH = new RegExp(`(?<=^|[\\s("'])((?:${FOLDERS})/${NAMED})\\b`, 'g');

/**
 * One title for each page, and no link or named path that leads nowhere. `exists` says
 * whether there is a path relative to the repository's root.
 */
export function checkMarkdown(
  file: string,
  text: string,
  exists: (path: string) => boolean,
): readonly Violation[] {
  const found: Violation[] = [];
  const prose = text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ''));
  const titles = prose.split('\n').filter((line) => /^# /.test(line));
  if (titles.length !== 1) {
    found.push({ file, line: 0, rule: 'title', detail: `${titles.length} titles, exactly one` });
  }
  prose.split('\n').forEach((line, index) => {
    for (const target of targetsOf(file, line)) {
      if (exists(target)) continue;
      found.push({ file, line: index + 1, rule: 'dead-link', detail: target });
    }
  });
  return found;
}

function targetsOf(file: string, line: string): readonly string[] {
  const links = [...line.matchAll(LINK)]
    .map((match) => match[1] ?? '')
    .filter((target) => !/^(https?:|mailto:|#)/.test(target))
    .map((target) => posix.normalize(posix.join(posix.dirname(file), target.split('#')[0] ?? '')));
  const paths = [...line.matchAll(PATH)].map((match) => match[1] ?? '');
  const fromReadme = file.endsWith('README.md') ? [...line.matchAll(OWN_PATH)] : [];
  const own = fromReadme.map((match) => posix.join(posix.dirname(file), match[1] ?? ''));
  return [...links, ...paths, ...own];
}

/** No path that leads nowhere in the comments of YAML files and of the chart's templates. */
export function checkComments(
  file: string,
  text: string,
  exists: (path: string) => boolean,
): readonly Violation[] {
  const isComment = commentReader();
  return text.split('\n').flatMap((line, index) => {
    if (!isComment(line)) return [];
    const targets = [...line.matchAll(COMMENTED_PATH)].map((match) => match[1] ?? '');
    return targets
      .filter((target) => !exists(target))
      .map((detail) => ({ file, line: index + 1, rule: 'dead-link', detail }));
  });
}

/** Knows of each line in its turn whether it is one of a comment: `# …`, or within `{{/* … *\/}}`. */
function commentReader(): (line: string) => boolean {
  let isInside = false;
  return (line) => {
    const wasInside = isInside;
    if (line.includes('{{/*') || line.includes('{{- /*')) isInside = true;
    const isComment = wasInside || isInside || /^\s*#|\s# /.test(line);
    if (line.includes('*/')) isInside = false;
    return isComment;
  };
}
