import { forEachFound, NOTHING_FOUND, type PageStart } from './index';

const ITEMS = ['a', 'b', 'c', 'd', 'e'];

/** Lists the items page by page, and notes where each page began. */
function createList(items: readonly string[]) {
  const asked: (string | undefined)[] = [];
  const list = async ({ after, limit }: PageStart<string>) => {
    asked.push(after);
    const start = after === undefined ? 0 : items.indexOf(after) + 1;
    return items.slice(start, start + limit);
  };
  return { asked, list };
}

function bounds(atOnceMax = 1, signal = new AbortController().signal) {
  return { pageSize: 2, atOnceMax, signal };
}

test('all that a list has is worked on once, page by page', async () => {
  const { asked, list } = createList(ITEMS);
  const done: string[] = [];
  const work = async (item: string) => void done.push(item);
  expect(await forEachFound(list, bounds(), work)).toBeUndefined();
  expect(done).toEqual(ITEMS);
  expect(asked).toEqual([undefined, 'b', 'd']);
});

test('a list that has nothing is told from one whose items are done', async () => {
  const never = () => Promise.reject(new Error('there is nothing to work on'));
  expect(await forEachFound(createList([]).list, bounds(), never)).toBe(NOTHING_FOUND);
});

test('no more are worked on together than may be', async () => {
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  const whole = { ...bounds(2), pageSize: ITEMS.length };
  await forEachFound(createList(ITEMS).list, whole, work);
  expect(most).toBe(2);
});

test('an abort ends the work before the next item and the next page', async () => {
  const stopping = new AbortController();
  const { asked, list } = createList(ITEMS);
  const done: string[] = [];
  const work = async (item: string) => {
    done.push(item);
    stopping.abort();
  };
  expect(await forEachFound(list, bounds(1, stopping.signal), work)).toBeUndefined();
  expect(done).toEqual(['a']);
  expect(asked).toEqual([undefined]);
});
