import { signalProcess } from '../engines/engine-process';
import { mongodbObstacle, startMongodb, startMongodbReplicaSet } from '../engines/mongodb';
import { type MongoDocument, runMongoCommand } from '../engines/mongodb-wire';
import { describeUnless } from '../support/describe-unless';

const OPTIONS = { report: () => undefined, detached: false };
const DURABLE = { w: 'majority', j: true };

jest.setTimeout(180_000);

function portOf({ url }: { readonly url: string }): number {
  return Number(new URL(url).port);
}

async function readFacts(port: number): Promise<unknown> {
  const answer = await runMongoCommand(port, 'test', { find: 'facts', filter: {} });
  return (answer.cursor as MongoDocument).firstBatch;
}

const insertFact = (_id: number) => ({
  insert: 'facts',
  documents: [{ _id }],
  writeConcern: DURABLE,
});

describeUnless(mongodbObstacle(), 'a MongoDB server for tests', () => {
  it('is a replica set of one that keeps what it acknowledged through kill -9', async () => {
    const server = await startMongodb(OPTIONS);
    try {
      const port = portOf(server);
      const { version } = await runMongoCommand(port, 'admin', { buildInfo: 1 });
      expect(version).toBe('6.0.5');
      await runMongoCommand(port, 'test', insertFact(1));
      const { pid } = server;
      await server.kill();
      expect(signalProcess(pid, 0)).toBe(false);
      await server.restart();
      await runMongoCommand(port, 'test', insertFact(2));
      expect(await readFacts(port)).toEqual([{ _id: 1 }, { _id: 2 }]);
    } finally {
      await server.stop();
    }
    expect(signalProcess(server.pid, 0)).toBe(false);
  });

  it('of three members two elect a primary with all that the lost one acknowledged', async () => {
    const set = await startMongodbReplicaSet(OPTIONS);
    try {
      const first = await set.findPrimary();
      await runMongoCommand(portOf(first), 'test', insertFact(1));
      await first.kill();
      const second = await set.findPrimary();
      expect(second.url).not.toBe(first.url);
      await runMongoCommand(portOf(second), 'test', insertFact(2));
      await first.restart();
      expect(await readFacts(portOf(await set.findPrimary()))).toEqual([{ _id: 1 }, { _id: 2 }]);
    } finally {
      await set.stop();
    }
  });

  it('a command that is refused says why', async () => {
    const server = await startMongodb(OPTIONS);
    try {
      const wrong = runMongoCommand(portOf(server), 'test', { find: 'facts', filter: { $no: 1 } });
      await expect(wrong).rejects.toThrow(/find was refused.*\$no/);
    } finally {
      await server.stop();
    }
  });
});
