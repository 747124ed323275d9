import { kafkaObstacle } from '../engines/kafka';
import { mongodbObstacle } from '../engines/mongodb';
import { runMongoCommand } from '../engines/mongodb-wire';
import { redisObstacle } from '../engines/redis';
import { readAudit } from '../faults/books';
import { type FaultSystem, startFaultSystem } from '../faults/fault-system';
import { DATABASE } from '../topologies/separate';
import type { Api, ApiAnswer } from './api';
import { describeUnless } from './describe-unless';

const COPY = `${DATABASE}_copy`;
/** All that keeps something of the collections in memory. */
const STOPPED = [
  'gateway',
  'webhook',
  'stats',
  'completion',
  'identity',
  'routing',
  'billing',
] as const;

/** One collection that goes back to an older copy while all others stay as they are. */
export interface RestoredAlone {
  /** Of the documents that are restored. */
  readonly filter: object;
  /** What is done with the product after the copy was made, and is undone by the restore. */
  changeAfterCopy(): Promise<void>;
  /** What is so once everything was started on the restored collection. */
  checkAfterRestore(): Promise<void>;
}

/** What is copied, how the product is set up for it, and who is told when it runs. */
interface CopiedCollections {
  /** By name; each makes what is in the copy. */
  readonly collections: Readonly<Record<string, () => Promise<RestoredAlone>>>;
  settings(): Promise<Readonly<Record<string, string>>>;
  onStarted(system: FaultSystem, operator: Api): void;
  stop?(): Promise<void>;
}

/**
 * Of what is kept for an Idempotency-Key: creations under a key of yesterday are answered as they
 * were, and what was made today is made a second time by who repeats it.
 */
export async function restoredKeys(
  create: (idempotencyKey: string) => Promise<ApiAnswer>,
  idOf: (answer: ApiAnswer) => string,
): Promise<RestoredAlone> {
  const seen = async (key: string) => {
    const answer = await create(key);
    const isReplayed = answer.headers.get('idempotency-replayed') === 'true';
    return { status: answer.status, id: idOf(answer), isReplayed };
  };
  const old = await seen('of-yesterday');
  let made: typeof old;
  return {
    filter: {},
    async changeAfterCopy() {
      made = await seen('of-today');
      expect([made.isReplayed, (await seen('of-today')).isReplayed]).toEqual([false, true]);
    },
    async checkAfterRestore() {
      expect(await seen('of-yesterday')).toEqual({ ...old, isReplayed: true });
      const again = await seen('of-today');
      expect([again.status, again.isReplayed]).toEqual([made.status, false]);
      expect(again.id).not.toBe(made.id);
      expect(await seen('of-today')).toEqual({ ...again, isReplayed: true });
    },
  };
}

const obstacle = kafkaObstacle() ?? redisObstacle() ?? mongodbObstacle();

/**
 * The tests of collections that are restored alone: each is changed after it was copied (yesterday, as
 * the suites say), then the product is stopped, the copy put back, and everything started again.
 */
export function testEachRestoredAlone(title: string, copied: CopiedCollections): void {
  const names = Object.keys(copied.collections);
  const tested = new Map<string, RestoredAlone>();
  let system: FaultSystem | undefined;

  describeUnless(obstacle, title, () => {
    beforeAll(async () => {
      const overrides = await copied.settings();
      const started = await startFaultSystem({
        store: 'mongodb',
        report: () => undefined,
        overrides: {
          TOLLGATE_GATEWAY_LOGIN_PER_MINUTE: '1000',
          TOLLGATE_GATEWAY_MANAGEMENT_PER_MINUTE: '10000',
          ...overrides,
        },
      });
      system = started;
      copied.onStarted(started, await started.operator());
      for (const [name, begin] of Object.entries(copied.collections)) {
        tested.set(name, await begin());
      }
      const port = await started.findMongodbPort();
      for (const name of names) {
        await runMongoCommand(port, DATABASE, {
          aggregate: name,
          pipeline: [{ $match: {} }, { $out: { db: COPY, coll: name } }],
          cursor: {},
        });
      }
      for (const one of tested.values()) await one.changeAfterCopy();
      await started.whileStopped(STOPPED, async () => {
        for (const [name, { filter }] of tested) {
          await restore(await started.findMongodbPort(), name, filter);
        }
      });
    });

    afterAll(async () => {
      await system?.stop();
      await copied.stop?.();
    });

    test.each(names)('%s', async (name) => {
      await tested.get(name)?.checkAfterRestore();
    });

    test('none of them makes a finding of the audit', async () => {
      if (system === undefined) throw new Error('nothing runs');
      expect((await readAudit(system)).findings).toEqual([]);
    });
  });
}

/** Makes the documents of a collection what they were when it was copied, types kept. */
async function restore(port: number, collection: string, filter: object): Promise<void> {
  await runMongoCommand(port, DATABASE, {
    delete: collection,
    deletes: [{ q: filter, limit: 0 }],
  });
  await runMongoCommand(port, COPY, {
    aggregate: collection,
    pipeline: [{ $match: filter }, { $merge: { into: { db: DATABASE, coll: collection } } }],
    cursor: {},
  });
}
