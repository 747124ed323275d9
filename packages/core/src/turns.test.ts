import type { Clock } from './clock';
import { createTurns, createTurnsByKey, type TurnsByKey } from './turns';

const OPTIONS = { atOnceMax: 2, waitingMax: 1, whoWaits: 'questions' };

test('so many run at once, the next waits, and one more is refused until a turn ends', async () => {
  const inTurn = createTurns(OPTIONS);
  const ends: (() => void)[] = [];
  const began: string[] = [];
  const work = (name: string) =>
    inTurn(() => {
      began.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    });
  const [a, b, c] = [work('a'), work('b'), work('c')];
  const refused = { code: 'SERVICE_UNAVAILABLE', message: '1 questions wait already' };
  await expect(work('d')).rejects.toMatchObject(refused);
  expect(began).toEqual(['a', 'b']);
  ends[0]?.();
  expect(await a).toBe('a');
  expect(began).toEqual(['a', 'b', 'c']);
  for (const end of ends) end();
  expect(await Promise.all([b, c])).toEqual(['b', 'c']);
});

test('work that fails hands its turn over', async () => {
  const inTurn = createTurns({ ...OPTIONS, atOnceMax: 1 });
  const failed = inTurn(() => Promise.reject(new Error('broken')));
  const next = inTurn(async () => 'next');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('next');
});

describe('by key', () => {
  /** The ends of waiting that are scheduled, and in how long. */
  let due: Map<() => void, number>;
  let inTurn: TurnsByKey;
  let began: string[];
  let finish: Map<string, () => void>;

  beforeEach(() => {
    due = new Map();
    const clock: Clock = {
      now: () => 0,
      monotonicMs: () => 0,
      schedule(delayMs, run) {
        due.set(run, delayMs);
        return { cancel: () => due.delete(run) };
      },
    };
    const bounds = { atOnceMax: 2, waitingMax: 4, waitingPerKeyMax: 2 };
    inTurn = createTurnsByKey({ clock, ...bounds });
    began = [];
    finish = new Map();
  });

  /** Works until the test finishes it. */
  function ask(key: string, name: string, signal?: AbortSignal): Promise<string> {
    const work = () => {
      began.push(name);
      return new Promise<string>((resolve) => finish.set(name, () => resolve(name)));
    };
    return inTurn(key, work, { waitMsMax: 1_000, signal });
  }

  async function end(name: string): Promise<void> {
    finish.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }

  test('one key has one turn at a time, and lets others pass', async () => {
    const all = [ask('a', 'a1'), ask('a', 'a2'), ask('b', 'b1'), ask('c', 'c1')];
    expect(began).toEqual(['a1', 'b1']);
    await end('b1');
    expect(began).toEqual(['a1', 'b1', 'c1']);
    await end('a1');
    expect(began).toEqual(['a1', 'b1', 'c1', 'a2']);
    await end('a2');
    await end('c1');
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1', 'c1']);
  });

  test('a key that waits for much takes turns with the others', async () => {
    const all = [ask('a', 'a1'), ask('b', 'b1'), ask('a', 'a2'), ask('a', 'a3'), ask('c', 'c1')];
    await end('a1');
    await end('a2');
    expect(began).toEqual(['a1', 'b1', 'a2', 'c1']);
    for (const name of ['c1', 'a3', 'b1']) await end(name);
    expect(await Promise.all(all)).toHaveLength(5);
  });

  test('more than may wait are refused, of one key earlier than of all', async () => {
    const some = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3')];
    await expect(ask('a', 'a4')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    some.push(ask('b', 'b1'), ask('c', 'c1'), ask('d', 'd1'));
    await expect(ask('e', 'e1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    for (const name of ['a1', 'b1', 'a2', 'c1', 'd1', 'a3']) await end(name);
    expect(await Promise.all(some)).toHaveLength(6);
  });

  test('who waits too long, or no longer, gives its place to others', async () => {
    const leaving = new AbortController();
    const some = [ask('a', 'a1'), ask('b', 'b1')];
    const left = expect(ask('c', 'c1', leaving.signal)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    leaving.abort();
    await left;
    const late = expect(ask('d', 'd1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect([...due.values()]).toEqual([1_000]);
    for (const run of due.keys()) run();
    await late;
    some.push(ask('e', 'e1'));
    for (const name of ['a1', 'b1', 'e1']) await end(name);
    expect(await Promise.all(some)).toEqual(['a1', 'b1', 'e1']);
    expect(began).toEqual(['a1', 'b1', 'e1']);
  });

  test('what fails gives its turn to the next', async () => {
    const failing = inTurn('a', () => Promise.reject(new Error('no')), { waitMsMax: 1_000 });
    await expect(failing).rejects.toThrow('no');
    const next = ask('a', 'a1');
    await end('a1');
    expect(await next).toBe('a1');
  });
});
