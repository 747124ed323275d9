import { randomUUID } from 'node:crypto';
import { type Clock, createSystemClock, type Logger, silentLogger } from '@tollgate/core';
import { createRecordingLogger, describeWithEngine, waitFor } from '@tollgate/testkit';
import {
  DELIVERY,
  describeEventBusContract,
  type EventBusUnderTest,
} from '../testing/event-bus-contract';
import { ACCOUNT, createCountingObserver, numberOf, usageOf } from '../testing/events';
import { TOPIC_NAMES } from '../topics';
import { createKafkaClient } from './create-kafka-client';
import { createKafkaBus, type KafkaBusOptions } from './kafka-bus';
import { migrateTopics } from './migrate-topics';

const PARTITIONS = 3;
const clock: Clock = createSystemClock();

jest.setTimeout(120_000);

describeWithEngine('kafka', 'the Kafka bus on a real broker', (broker) => {
  let opened: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const dispose of opened.splice(0).reverse()) await dispose();
    opened = [];
  });

  /** Topics and groups of their own for one test, deleted after it. */
  async function openNamespace(logger: Logger = silentLogger) {
    const prefix = `test-${randomUUID()}.`;
    const connection = { brokers: [broker], clientId: 'tollgate-test', clock, logger };
    const migration = { ...connection, prefix, replicationFactor: 1, partitions: PARTITIONS };
    await migrateTopics(migration);
    opened.push(() => deleteTopics(broker, prefix));
    return { prefix, connection, migration };
  }

  async function openBus(options: Partial<KafkaBusOptions> = {}) {
    const { prefix, connection, migration } = await openNamespace(options.logger);
    const { observer, count } = createCountingObserver();
    const fatal: Error[] = [];
    const createBus = () => {
      const bus = createKafkaBus({
        ...connection,
        prefix,
        observer,
        backoff: { initialMs: 5, maxMs: 50 },
        onFatal: (error) => fatal.push(error),
        ...options,
      });
      opened.push(() => bus.close());
      return bus;
    };
    const committed = () => committedOf(broker, `${prefix}billing`, `${prefix}tollgate.usage.v1`);
    return { bus: createBus(), createBus, count, fatal, migration, committed };
  }

  describe('keeps the contract', () => {
    describeEventBusContract(async (): Promise<EventBusUnderTest> => {
      const { bus, count, fatal } = await openBus();
      const dispose = async () => {
        await bus.close();
        expect(fatal).toEqual([]);
      };
      return { bus, count, dispose };
    });
  });

  it('creates every topic once, also when replicas migrate at the same time', async () => {
    const { migration } = await openNamespace();
    const fresh = { ...migration, prefix: `test-${randomUUID()}.` };
    opened.push(() => deleteTopics(broker, fresh.prefix));
    await Promise.all([migrateTopics(fresh), migrateTopics(fresh), migrateTopics(fresh)]);
    const again = await migrateTopics(fresh);
    expect(again.created).toEqual([]);
    expect([...again.present].sort()).toEqual(TOPIC_NAMES.map((t) => `${fresh.prefix}${t}`).sort());
  });

  it('leaves topics as they are and warns when their partitions differ from the wish', async () => {
    const logger = createRecordingLogger();
    const { migration } = await openNamespace();
    await migrateTopics({ ...migration, partitions: 5, logger });
    const warnings = logger.lines.filter(({ level }) => level === 'warn');
    expect(warnings).toHaveLength(TOPIC_NAMES.length);
    expect(warnings[0]?.fields).toMatchObject({ partitions: PARTITIONS, wanted: 5 });
  });

  it('delivers to a new group what was published before the group existed', async () => {
    const { bus } = await openBus();
    await bus.publish([usageOf(clock, ACCOUNT, 1)], { timeoutMs: 10_000 });
    const seen: number[] = [];
    await bus.subscribe({
      group: 'late',
      topics: ['tollgate.usage.v1'],
      handle: async (events) => void seen.push(...events.map(numberOf)),
    });
    await waitFor(() => seen.includes(1), DELIVERY);
  });

  it('goes on after a restart of the client where it had committed', async () => {
    const { bus, createBus, committed } = await openBus();
    const seen: number[] = [];
    const options = {
      group: 'billing',
      topics: ['tollgate.usage.v1'] as const,
      handle: async (events: readonly Parameters<typeof numberOf>[0][]) => {
        seen.push(...events.map(numberOf));
      },
    };
    await bus.subscribe(options);
    await bus.publish([usageOf(clock, ACCOUNT, 1)], { timeoutMs: 10_000 });
    await waitFor(() => seen.includes(1), DELIVERY);
    await waitFor(async () => (await committed()) === 1, DELIVERY);
    await bus.close();
    const next = createBus();
    await next.publish([usageOf(clock, ACCOUNT, 2)], { timeoutMs: 10_000 });
    await next.subscribe(options);
    await waitFor(() => seen.includes(2), DELIVERY);
    expect(seen).toEqual([1, 2]);
  });

  it('holds up no other partition while a handler keeps failing on one', async () => {
    const { bus } = await openBus({ backoff: { initialMs: 60_000, maxMs: 60_000 } });
    const seen = new Set<string>();
    await bus.subscribe({
      group: 'billing',
      topics: ['tollgate.usage.v1'],
      async handle(events) {
        if (events.some(({ partition }) => partition === 0)) throw new Error('partition 0 is bad');
        for (const { key } of events) seen.add(key);
      },
    });
    const keys = Array.from({ length: 60 }, (_value, index) => `acc_${index}`);
    for (let round = 1; round <= 3; round += 1) {
      const batch = keys.map((key) => usageOf(clock, key, round));
      await bus.publish(batch, { timeoutMs: 10_000 });
    }
    await waitFor(() => seen.size >= 20, DELIVERY);
  });

  it('makes a dead letter of bytes that are no event at all', async () => {
    const { bus, count, migration } = await openBus();
    const seen: number[] = [];
    await bus.subscribe({
      group: 'billing',
      topics: ['tollgate.usage.v1'],
      handle: async (events) => void seen.push(...events.map(numberOf)),
    });
    const producer = createKafkaClient(migration).producer();
    await producer.connect();
    const topic = `${migration.prefix}tollgate.usage.v1`;
    const strange = [null, Buffer.from([0xff, 0xfe]), Buffer.from('[]')];
    const messages = strange.map((value) => ({ key: ACCOUNT, value }));
    await producer.send({ topic, messages });
    await producer.disconnect();
    await bus.publish([usageOf(clock, ACCOUNT, 1)], { timeoutMs: 10_000 });
    // The handler is given its events first, what cannot be used is passed over after it.
    await waitFor(() => seen.includes(1) && count('deadLettered') >= 3, DELIVERY);
  });

  it('says through our logger what kafkajs has to say', async () => {
    const logger = createRecordingLogger();
    const { bus } = await openBus({ logger });
    await bus.subscribe({
      group: 'billing',
      topics: ['tollgate.usage.v1'],
      handle: async () => undefined,
    });
    await waitFor(
      () => logger.lines.some(({ fields }) => fields.kafka === 'ConsumerGroup'),
      DELIVERY,
    );
  });
});

type Admin = ReturnType<ReturnType<typeof createKafkaClient>['admin']>;

async function withAdmin<T>(broker: string, work: (admin: Admin) => Promise<T>): Promise<T> {
  const connection = { brokers: [broker], clientId: 'tollgate-test', logger: silentLogger };
  const admin = createKafkaClient(connection).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

function deleteTopics(broker: string, prefix: string): Promise<void> {
  return withAdmin(broker, async (admin) => {
    const topics = (await admin.listTopics()).filter((name) => name.startsWith(prefix));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  });
}

/** How many events of the topic the group has confirmed. */
function committedOf(broker: string, groupId: string, topic: string): Promise<number> {
  return withAdmin(broker, async (admin) => {
    const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
    const offsets = (found?.partitions ?? []).map(({ offset }) => Math.max(0, Number(offset)));
    return offsets.reduce((sum, offset) => sum + offset, 0);
  });
}
