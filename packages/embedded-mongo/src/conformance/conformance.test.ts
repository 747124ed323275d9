import { connect, requireDb, type StoreUnderTest, startStore } from '../testing/store-under-test';
import { CONFORMANCE_CORPUS, type RunCommand, runConformanceCase } from './index';

function runOn(db: StoreUnderTest['db']): RunCommand {
  return (command) => db.command({ ...command }, { promoteValues: false, promoteLongs: false });
}

describe('the corpus against the embedded store', () => {
  let subject: StoreUnderTest;

  beforeAll(async () => {
    subject = await startStore();
  });
  afterAll(() => subject.stop());

  it.each(CONFORMANCE_CORPUS.map((testCase) => [testCase.title, testCase] as const))(
    '%s',
    async (_title, testCase) => {
      const outcome = await runConformanceCase(runOn(subject.db), testCase);
      expect(outcome.problem).toBe('');
    },
  );

  it('reports a wrong answer as a problem', async () => {
    const outcome = await runConformanceCase(runOn(subject.db), {
      title: 'wrong on purpose',
      seed: [{ _id: 1, n: 1n }],
      steps: [
        {
          command: { find: 'c', filter: {} },
          expected: { kind: 'documents', documents: [{ _id: 1, n: 1 }], anyOrder: false },
        },
      ],
    });
    expect(outcome.passed).toBe(false);
    expect(outcome.problem).toContain('"$numberLong":"1"');
  });
});

const realUri = process.env.TOLLGATE_TEST_MONGODB;
const describeReal = realUri === undefined ? describe.skip : describe;

describeReal('the corpus against a real mongod (TOLLGATE_TEST_MONGODB; skipped without it)', () => {
  it.each(CONFORMANCE_CORPUS.map((testCase) => [testCase.title, testCase] as const))(
    '%s',
    async (_title, testCase) => {
      const connection = await connect(realUri ?? '');
      try {
        const db = requireDb(connection.useDb('tollgate_conformance'));
        const outcome = await runConformanceCase(runOn(db), testCase);
        expect(outcome.problem).toBe('');
      } finally {
        await connection.close();
      }
    },
  );
});
