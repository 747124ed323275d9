import { execFile as execFileWithCallback } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeWithEngine } from '@tollgate/testkit';
import { compile, requireDb, type StoreUnderTest, startStore } from '../testing/store-under-test';
import {
  CONFORMANCE_CORPUS,
  type ConformanceCase,
  type ConformanceOutcome,
  type RunCommand,
  runConformanceCase,
} from './index';

const execFile = promisify(execFileWithCallback);

function runOn(connection: StoreUnderTest['connection']): RunCommand {
  return (database, command) =>
    requireDb(connection.useDb(database)).command(
      { ...command },
      { promoteValues: false, promoteLongs: false },
    );
}

describe('the corpus against the embedded store', () => {
  let subject: StoreUnderTest;

  beforeAll(async () => {
    subject = await startStore();
  });
  afterAll(() => subject.stop());

  it.each(CONFORMANCE_CORPUS.map((testCase, index) => [testCase.title, testCase, index] as const))(
    '%s',
    async (_title, testCase, index) => {
      const database = `case_${index}`;
      const outcome = await runConformanceCase(runOn(subject.connection), testCase, database);
      expect(outcome.problem).toBe('');
    },
  );

  it('reports a wrong answer as a problem', async () => {
    const wrong: ConformanceCase = {
      title: 'wrong on purpose',
      seed: [{ _id: 1, n: 1n }],
      steps: [
        {
          command: { find: 'c', filter: {} },
          expected: { kind: 'documents', documents: [{ _id: 1, n: 1 }], anyOrder: false },
        },
      ],
    };
    const outcome = await runConformanceCase(runOn(subject.connection), wrong, 'wrong');
    expect(outcome.passed).toBe(false);
    expect(outcome.problem).toContain('"$numberLong":"1"');
  });
});

describeWithEngine('mongodb', 'the corpus against a real server', (realUri) => {
  let outcomes: ReadonlyMap<string, string>;

  beforeAll(async () => {
    // In a process of its own: the classes of a test's sandbox are not those that the driver knows,
    // and a real server refuses the first message that the driver builds with them.
    compile();
    const program = join(__dirname, '../testing/run-corpus.cjs');
    const { stdout } = await execFile(process.execPath, [program, realUri]);
    const found = JSON.parse(stdout) as readonly ConformanceOutcome[];
    outcomes = new Map(found.map(({ title, problem }) => [title, problem]));
  }, 120_000);

  it.each(CONFORMANCE_CORPUS.map(({ title }) => title))('%s', (title) => {
    expect(outcomes.get(title)).toBe('');
  });
});
