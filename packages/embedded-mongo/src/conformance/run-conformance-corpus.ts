import { EJSON, serialize } from 'bson';
import {
  CASE_COLLECTION,
  type ConformanceCase,
  type ConformanceStep,
  type Members,
} from './conformance-case';
import { CONFORMANCE_CORPUS } from './corpus';

/**
 * Sends one command to a database and answers its reply with BSON types kept
 * (`promoteValues: false`), or rejects with an error that carries `code`.
 */
export type RunCommand = (database: string, command: Members) => Promise<Members>;

/** The outcome of one case. */
export interface ConformanceOutcome {
  readonly title: string;
  readonly passed: boolean;
  /** The expected and the given answer; empty when passed. */
  readonly problem: string;
}

/** Runs every case, one after the other, against whatever answers the commands. */
export async function runConformanceCorpus(
  runCommand: RunCommand,
): Promise<readonly ConformanceOutcome[]> {
  const outcomes: ConformanceOutcome[] = [];
  for (const [index, testCase] of CONFORMANCE_CORPUS.entries()) {
    outcomes.push(await runConformanceCase(runCommand, testCase, caseDatabase(index)));
  }
  return outcomes;
}

/** The database of the case at a place of the corpus; empty before it and left behind. */
function caseDatabase(index: number): string {
  return `tollgate_conformance_${index}`;
}

/** Runs one case in a database that has nothing yet. */
export async function runConformanceCase(
  runCommand: RunCommand,
  testCase: ConformanceCase,
  database: string,
): Promise<ConformanceOutcome> {
  const run = (command: Members) => runCommand(database, command);
  if (testCase.seed.length > 0) await run({ insert: CASE_COLLECTION, documents: testCase.seed });
  for (const [index, step] of testCase.steps.entries()) {
    const problem = await runStep(run, step);
    if (problem !== undefined) {
      return { title: testCase.title, passed: false, problem: `step ${index + 1}: ${problem}` };
    }
  }
  return { title: testCase.title, passed: true, problem: '' };
}

async function runStep(
  run: (command: Members) => Promise<Members>,
  step: ConformanceStep,
): Promise<string | undefined> {
  const { expected } = step;
  let reply: Members;
  try {
    reply = await run(step.command);
  } catch (error) {
    const code = codeOf(error);
    if (expected.kind === 'error' && code === expected.code) return undefined;
    return `${describeMembers(step.command)} failed with ${code}: ${String(error)}`;
  }
  switch (expected.kind) {
    case 'error':
      return `${describeMembers(step.command)} should fail with ${expected.code}`;
    case 'reply':
      return compareMembers(expected.members, reply);
    case 'documents':
      return compareDocuments(expected.documents, firstBatchOf(reply), expected.anyOrder);
    case 'members':
      return compareDocuments([inOrder(expected.members)], firstBatchOf(reply).map(inOrder));
    case 'writeErrors': {
      const found = (reply.writeErrors ?? []) as readonly Members[];
      const errors = found.map(({ index, code }) => ({ index, code }));
      return compareMembers({ n: expected.n, errors: expected.errors }, { n: reply.n, errors });
    }
  }
}

function codeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'number' ? error.code : Number(error.code);
}

/** Bytes tell apart what must differ: the types of numbers and the order of fields. */
function bytesOf(members: Members): string {
  return Buffer.from(serialize(members)).toString('latin1');
}

function compareMembers(expected: Members, actual: Members): string | undefined {
  for (const [name, value] of Object.entries(expected)) {
    if (bytesOf({ value }) !== bytesOf({ value: actual[name] })) {
      return `${name}: expected ${describeMembers(expected)}, got ${describeMembers(actual)}`;
    }
  }
  return undefined;
}

function firstBatchOf(reply: Members): readonly Members[] {
  return (reply.cursor as { readonly firstBatch: readonly Members[] }).firstBatch;
}

function compareDocuments(
  expected: readonly Members[],
  actual: readonly Members[],
  anyOrder = false,
): string | undefined {
  const wanted = expected.map(bytesOf);
  const found = actual.map(bytesOf);
  if (anyOrder) {
    wanted.sort();
    found.sort();
  }
  if (wanted.length === found.length && wanted.every((bytes, at) => bytes === found[at])) {
    return undefined;
  }
  return `expected ${describeMembers({ expected })}, got ${describeMembers({ actual })}`;
}

/** The members by name. */
function inOrder(members: Members): Members {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const TEXT_LENGTH_MAX = 2_000;

/** Members with their BSON types, for the text of a problem. */
function describeMembers(members: Members): string {
  return EJSON.stringify(members, { relaxed: false }).slice(0, TEXT_LENGTH_MAX);
}
