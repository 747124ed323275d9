import { serialize } from 'bson';
import {
  CASE_COLLECTION,
  type ConformanceCase,
  type ConformanceStep,
  type Members,
} from './conformance-case';
import { CONFORMANCE_CORPUS } from './corpus';
import { describeMembers } from './describe-members';

/**
 * Sends one command and answers its reply with BSON types kept (`promoteValues: false`), or rejects
 * with an error that carries `code`. A driver's `db.command` is one.
 */
export type RunCommand = (command: Members) => Promise<Members>;

/** What came of one case. */
export interface ConformanceOutcome {
  readonly title: string;
  readonly passed: boolean;
  /** What was expected and what came instead; empty when passed. */
  readonly problem: string;
}

/** Runs every case, one after the other, against whatever answers the commands. */
export async function runConformanceCorpus(
  runCommand: RunCommand,
): Promise<readonly ConformanceOutcome[]> {
  const outcomes: ConformanceOutcome[] = [];
  for (const testCase of CONFORMANCE_CORPUS) {
    outcomes.push(await runConformanceCase(runCommand, testCase));
  }
  return outcomes;
}

/** Runs one case in a fresh collection. */
export async function runConformanceCase(
  runCommand: RunCommand,
  testCase: ConformanceCase,
): Promise<ConformanceOutcome> {
  // Older servers answer an error when there is nothing to drop.
  await runCommand({ drop: CASE_COLLECTION }).catch(() => undefined);
  if (testCase.seed.length > 0) {
    await runCommand({ insert: CASE_COLLECTION, documents: testCase.seed });
  }
  for (const [index, step] of testCase.steps.entries()) {
    const problem = await runStep(runCommand, step);
    if (problem !== undefined) {
      return { title: testCase.title, passed: false, problem: `step ${index + 1}: ${problem}` };
    }
  }
  return { title: testCase.title, passed: true, problem: '' };
}

async function runStep(runCommand: RunCommand, step: ConformanceStep): Promise<string | undefined> {
  const { expected } = step;
  let reply: Members;
  try {
    reply = await runCommand(step.command);
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
      return compareDocuments(expected.documents, reply, expected.anyOrder);
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

function compareDocuments(
  expected: readonly Members[],
  reply: Members,
  anyOrder: boolean,
): string | undefined {
  const cursor = reply.cursor as { readonly firstBatch: readonly Members[] };
  const wanted = expected.map(bytesOf);
  const found = cursor.firstBatch.map(bytesOf);
  if (anyOrder) {
    wanted.sort();
    found.sort();
  }
  if (wanted.length === found.length && wanted.every((bytes, at) => bytes === found[at])) {
    return undefined;
  }
  return `expected ${describeMembers({ expected })}, got ${describeMembers(cursor)}`;
}
