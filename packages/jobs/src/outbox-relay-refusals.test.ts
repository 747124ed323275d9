import { EventKeysRefused } from '@tollgate/core';
import { createFakeClock, type FakeClock } from '@tollgate/testkit';
import { createOutboxRelay, type OutboxRelay } from './index';

/** An item of one message, which has its id. */
interface Item {
  readonly id: string;
}

const PAGE = 2;
/** Pages that a round passes over, and of which it has offered the first. */
const PAGES_MAX = 6;
/** Pages of which everything was offered and refused, in a round. */
const REFUSED_PAGES_MAX = 2;
const RETRY_MS = 5_000;
const forever = new AbortController().signal;

let clock: FakeClock;
let waiting: Set<string>;
let published: string[];
/** Of messages, whether they were accepted or not. */
let offered: string[];
let reads: number;
let refusedKeys: Set<string>;
let onOffered: () => void;
let relay: OutboxRelay;

beforeEach(() => {
  clock = createFakeClock();
  waiting = new Set();
  published = [];
  offered = [];
  reads = 0;
  refusedKeys = new Set();
  onOffered = () => undefined;
  relay = createRelay();
});

/** As the Kafka bus publishes: what is not refused is accepted. */
async function publish(ids: readonly string[]): Promise<void> {
  offered.push(...ids);
  const refused = ids.filter((id) => refusedKeys.has(keyOf(id)));
  published.push(...ids.filter((id) => !refused.includes(id)));
  onOffered();
  if (refused.length > 0) throw new EventKeysRefused(new Set(refused.map(keyOf)), {});
}

function createRelay(knowsKeys = true): OutboxRelay {
  return createOutboxRelay<Item, string>({
    outbox: {
      async list({ after = '', limit }) {
        reads += 1;
        const ids = [...waiting].toSorted().filter((id) => id > after);
        return ids.slice(0, limit).map((id) => ({ id }));
      },
      async remove(items) {
        for (const { id } of items) waiting.delete(id);
      },
    },
    toMessages: (items) => items.map(({ id }) => id),
    publish,
    ...(knowsKeys ? { keyOf: (of) => keyOf(typeof of === 'string' ? of : of.id) } : {}),
    pageSize: PAGE,
    publishMax: 1,
    quarantineRetryMs: 60_000,
    clock,
    onQuarantined: () => undefined,
  });
}

function keyOf(id: string): string {
  return id.slice(0, id.indexOf(':'));
}

function put(...ids: readonly string[]): void {
  for (const id of ids) waiting.add(id);
}

/** Items of one key, more than a round passes over. */
function backlogOf(key: string): readonly string[] {
  return Array.from({ length: PAGE * PAGES_MAX + 3 }, (_, index) => `${key}:${index + 100}`);
}

async function runRound(): Promise<void> {
  await relay.run(forever).catch((error: unknown) => {
    if (!(error instanceof EventKeysRefused)) throw error;
  });
}

test('what the bus refuses of some keys keeps nothing back of the others', async () => {
  put('a:1', 'a:2', 'a:3', 'b:1', 'b:2', 'c:1');
  refusedKeys = new Set(['a', 'c']);
  await expect(relay.run(forever)).rejects.toBeInstanceOf(EventKeysRefused);
  expect(published).toEqual(['b:1', 'b:2']);
  expect([...waiting]).toEqual(['a:1', 'a:2', 'a:3', 'c:1']);
});

test('what follows a refused message of its key waits, on its page and on the next', async () => {
  put('a:1', 'a:2', 'a:3', 'b:1');
  refusedKeys = new Set(['a']);
  // The bus takes everything again from the second message on.
  onOffered = () => refusedKeys.clear();
  await runRound();
  expect(published).toEqual(['b:1']);
  await clock.advance(RETRY_MS);
  await runRound();
  expect(published).toEqual(['b:1', 'a:1', 'a:2', 'a:3']);
  expect(waiting.size).toBe(0);
});

test('a round reads a bounded part of what is refused, and the next goes on behind it', async () => {
  put(...backlogOf('a'), 'b:1');
  refusedKeys = new Set(['a']);
  await runRound();
  // The page behind the last one was on its way already.
  expect(reads).toBe(PAGES_MAX + 1);
  expect(published).toEqual([]);
  await runRound();
  expect(published).toEqual(['b:1']);
});

test('a round goes on while it publishes something of each page', async () => {
  for (let page = 100; page < 130; page += 1) put(`${page}-bad:1`, `${page}-good:1`);
  refusedKeys = new Set([...waiting].map(keyOf).filter((key) => key.endsWith('bad')));
  await runRound();
  expect(published).toHaveLength(30);
});

test('a round ends soon while the bus refuses everything, and the next goes on behind it', async () => {
  for (let item = 100; item < 120; item += 1) put(`${item}:1`);
  refusedKeys = new Set([...waiting].map(keyOf));
  await runRound();
  expect(offered).toHaveLength(PAGE * REFUSED_PAGES_MAX);
  refusedKeys.clear();
  await runRound();
  await runRound();
  expect(published).toHaveLength(20 - PAGE * REFUSED_PAGES_MAX);
});

test('a key that spans rounds is not taken up in its middle', async () => {
  const backlog = backlogOf('a');
  put(...backlog, 'b:1');
  refusedKeys = new Set(['a']);
  await runRound();
  refusedKeys.clear();
  await clock.advance(RETRY_MS);
  await runRound();
  expect(published).toEqual(['b:1']);
  await runRound();
  expect(published).toEqual(['b:1', ...backlog]);
  expect(waiting.size).toBe(0);
});

test('what was refused is offered again after a while and not in each round', async () => {
  put('a:1', 'b:1');
  refusedKeys = new Set(['a']);
  await runRound();
  put('b:2');
  await runRound();
  expect(offered).toEqual(['a:1', 'b:1', 'b:2']);
  refusedKeys.clear();
  await clock.advance(RETRY_MS);
  expect(await relay.run(forever)).toBeUndefined();
  expect(published).toEqual(['b:1', 'b:2', 'a:1']);
});

test('a relay that knows no keys ends its round at a refusal', async () => {
  relay = createRelay(false);
  put('a:1', 'b:1');
  refusedKeys = new Set(['a']);
  await expect(relay.run(forever)).rejects.toBeInstanceOf(EventKeysRefused);
  expect([...waiting]).toEqual(['a:1', 'b:1']);
});
