import { HandledInPart } from '@tollgate/events';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import { createBatchCommit, type ItemOutcome } from './batch-commit';

const LINGER_MS = 1000;
const ITEMS_MAX = 10;
const control = { signal: new AbortController().signal, isPart: false };

/** Batches over a store that holds each commit back until the test lets it end. */
function setUp(outcomeOf: (item: number) => ItemOutcome = () => 'done') {
  const clock = createFakeClock();
  const commits: { readonly items: readonly number[]; end(error?: Error): Promise<void> }[] = [];
  const batches = createBatchCommit<number>({
    clock,
    lingerMs: LINGER_MS,
    itemsMax: ITEMS_MAX,
    async commit(items) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const end = (error?: Error) => {
        if (error === undefined) resolve();
        else reject(error);
        return settlePromises();
      };
      commits.push({ items, end });
      await promise;
      return outcomeOf;
    },
  });
  const committed = () => commits.map(({ items }) => items);
  return { clock, commits, committed, batches };
}

/** Also begins the linger. */
async function setUpAfterFirst(outcomeOf?: (item: number) => ItemOutcome) {
  const tested = setUp(outcomeOf);
  const first = tested.batches.add([0], control);
  await tested.commits[0]?.end();
  await first;
  return tested;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** What has become of a call by now. */
function watch(call: Promise<void>): { state: string } {
  const watched = { state: 'waits' };
  call.then(
    () => {
      watched.state = 'resolved';
    },
    (error: Error) => {
      watched.state = `rejected: ${error.message}`;
    },
  );
  return watched;
}

test('what comes after a quiet time is committed at once', async () => {
  const { committed, commits, batches } = setUp();
  const call = batches.add([1], control);
  expect(committed()).toEqual([[1]]);
  await commits[0]?.end();
  await call;
});

test('calls within the linger are committed together, and resolve only then', async () => {
  const { clock, commits, committed, batches } = await setUpAfterFirst();
  const calls = [[1, 2], [3], [4]].map((items) => watch(batches.add(items, control)));
  await clock.advance(LINGER_MS - 1);
  expect(committed()).toHaveLength(1);
  await clock.advance(1);
  expect(committed().slice(1)).toEqual([[1, 2, 3, 4]]);
  expect(calls.map(({ state }) => state)).toEqual(['waits', 'waits', 'waits']);
  await commits[1]?.end();
  expect(calls.map(({ state }) => state)).toEqual(['resolved', 'resolved', 'resolved']);
  expect(clock.pendingTimers).toBe(0);
});

test('a full batch does not wait for the linger', async () => {
  const { clock, commits, committed, batches } = await setUpAfterFirst();
  const calls = [batches.add(upTo(ITEMS_MAX - 1), control), batches.add([10], control)];
  expect(committed().slice(1)).toEqual([upTo(ITEMS_MAX)]);
  await commits[1]?.end();
  await Promise.all(calls);
  expect(clock.pendingTimers).toBe(0);
});

test('a batch is bounded: whole calls, the oldest first, until it is full', async () => {
  const { commits, committed, batches } = setUp();
  const calls = upTo(5).map(() => batches.add(upTo(6), control));
  await commits[0]?.end();
  await commits[1]?.end();
  await commits[2]?.end();
  await Promise.all(calls);
  expect(committed().map((batch) => batch.length)).toEqual([6, 12, 12]);
});

test('while a batch is committed no other one begins', async () => {
  const { clock, commits, committed, batches } = setUp();
  const first = batches.add([1], control);
  const second = batches.add(upTo(ITEMS_MAX), control);
  await clock.advance(10 * LINGER_MS);
  expect(committed()).toEqual([[1]]);
  await commits[0]?.end();
  expect(committed()).toEqual([[1], upTo(ITEMS_MAX)]);
  await commits[1]?.end();
  await Promise.all([first, second]);
});

test('when a commit fails, each of its calls is told, and the next batch is committed', async () => {
  const { clock, commits, batches } = await setUpAfterFirst();
  const calls = [[1], [2]].map((items) => watch(batches.add(items, control)));
  await clock.advance(LINGER_MS);
  await commits[1]?.end(new Error('the store is away'));
  expect(calls.map(({ state }) => state)).toEqual([
    'rejected: the store is away',
    'rejected: the store is away',
  ]);
  const next = batches.add([3], control);
  await clock.advance(LINGER_MS);
  await commits[2]?.end();
  await next;
});

test('an item that failed rejects its own call alone', async () => {
  const failed = new Error('this one is refused');
  const { clock, commits, batches } = await setUpAfterFirst((item) =>
    item === 2 ? { failed } : 'done',
  );
  const calls = [[1], [2, 3], [4]].map((items) => watch(batches.add(items, control)));
  await clock.advance(LINGER_MS);
  await commits[1]?.end();
  expect(calls.map(({ state }) => state)).toEqual([
    'resolved',
    'rejected: this one is refused',
    'resolved',
  ]);
});

test('what needs another round gets it at once, together with what came meanwhile', async () => {
  let rounds = 0;
  const { commits, committed, batches } = setUp((item) =>
    item === 2 && rounds < 2 ? 'again' : 'done',
  );
  const slow = watch(batches.add([1, 2], control));
  const other = watch(batches.add([3], control));
  rounds = 1;
  await commits[0]?.end();
  expect(committed()).toEqual([
    [1, 2],
    [3, 2],
  ]);
  rounds = 2;
  await commits[1]?.end();
  expect([slow.state, other.state]).toEqual(['resolved', 'resolved']);
});

test('a call that is aborted waits no longer: its batch is committed at once', async () => {
  const { clock, commits, committed, batches } = await setUpAfterFirst();
  const stopping = new AbortController();
  const call = batches.add([1], { signal: stopping.signal, isPart: false });
  expect(committed()).toHaveLength(1);
  stopping.abort(new Error('the subscription stops'));
  expect(committed().slice(1)).toEqual([[1]]);
  await commits[1]?.end();
  await call;
  expect(clock.pendingTimers).toBe(0);
});

test('a call with very much to commit ends after some seconds, and the rest of it comes again', async () => {
  const { clock, commits, committed, batches } = setUp((item) => (item === 1 ? 'done' : 'again'));
  const call = batches.add([1, 2], control);
  const failure = call.catch((error: unknown) => error);
  const long = watch(call);
  await clock.advance(4_000);
  await commits[0]?.end();
  const short = watch(batches.add([1], control));
  expect(committed()).toEqual([[1, 2], [2]]);
  await clock.advance(1_000);
  await commits[1]?.end();
  expect(long.state).toMatch('rejected: there is more to commit');
  expect(await failure).toBeInstanceOf(HandledInPart);
  await clock.advance(LINGER_MS);
  await commits[2]?.end();
  expect(short.state).toBe('resolved');
});

test('a call that is aborted gets no further round: it comes again', async () => {
  const { commits, committed, batches } = setUp(() => 'again');
  const stopping = new AbortController();
  const call = watch(batches.add([1], { signal: stopping.signal, isPart: false }));
  stopping.abort(new Error('the subscription stops'));
  await commits[0]?.end();
  expect(call.state).toBe('rejected: the subscription stops');
  expect(committed()).toHaveLength(1);
});

test('a part of what failed before does not wait for others', async () => {
  const { commits, committed, batches } = await setUpAfterFirst();
  const call = batches.add([1], { ...control, isPart: true });
  expect(committed().slice(1)).toEqual([[1]]);
  await commits[1]?.end();
  await call;
});
