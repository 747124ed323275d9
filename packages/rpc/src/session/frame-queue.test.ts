import { FrameQueue } from './frame-queue';

const untilNextTick = () => new Promise((resolve) => setImmediate(resolve));
const KILOBYTE = 1024;

function createQueue() {
  const messages: string[][] = [];
  const state = { takes: true, emptied: 0 };
  const queue = new FrameQueue<string>({
    write(frames) {
      messages.push(frames);
      return state.takes;
    },
    onEmpty: () => {
      state.emptied += 1;
    },
  });
  return { messages, queue, state };
}

test('frames of one tick leave in one message, in their order', async () => {
  const { messages, queue, state } = createQueue();
  queue.push('a', 1);
  queue.push('b', 1);
  expect(messages).toEqual([]);
  await untilNextTick();
  queue.push('c', 1);
  await untilNextTick();
  expect(messages).toEqual([['a', 'b'], ['c']]);
  expect(state.emptied).toBe(2);
  expect(queue.bytes).toBe(0);
});

test('a full message leaves at once, and a frame that is larger leaves alone', () => {
  const { messages, queue } = createQueue();
  queue.push('small', KILOBYTE);
  queue.push('large', 10 * KILOBYTE * KILOBYTE);
  expect(messages).toEqual([['small'], ['large']]);
});

test('while the transport takes nothing frames wait, and then leave in messages of bounded size', async () => {
  const { messages, queue, state } = createQueue();
  state.takes = false;
  queue.push('first', 1);
  await untilNextTick();
  expect(queue.flowing).toBe(false);
  for (let index = 0; index < 20; index += 1) queue.push(`${index}`, 10 * KILOBYTE);
  await untilNextTick();
  expect(messages).toEqual([['first']]);
  expect(queue.bytes).toBe(200 * KILOBYTE);
  state.takes = true;
  queue.resume();
  expect(messages.slice(1).map(({ length }) => length)).toEqual([6, 6, 6, 2]);
  expect(messages.slice(1).flat()).toEqual(Array.from({ length: 20 }, (_, index) => `${index}`));
});

test('a message has a bounded number of frames, however little each of them counts', async () => {
  const { messages, queue } = createQueue();
  for (let index = 0; index < 1_200; index += 1) queue.push(`${index}`, 0);
  await untilNextTick();
  expect(messages.map(({ length }) => length)).toEqual([512, 512, 176]);
});

test('a queue that was closed drops what waits and takes nothing', async () => {
  const { messages, queue } = createQueue();
  queue.push('a', 1);
  queue.close();
  queue.push('b', 1);
  await untilNextTick();
  expect(messages).toEqual([]);
  expect(queue.empty).toBe(true);
});
