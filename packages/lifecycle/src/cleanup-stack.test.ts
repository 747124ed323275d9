import { createCleanupStack } from './index';

test('what was opened last is closed first', async () => {
  const closed: string[] = [];
  const stack = createCleanupStack();
  stack.defer('store', () => void closed.push('store'));
  stack.defer('server', async () => void closed.push('server'));
  await stack.run();
  expect(closed).toEqual(['server', 'store']);
});

test('a failure does not keep the rest open, and is reported by name', async () => {
  const closed: string[] = [];
  const stack = createCleanupStack();
  stack.defer('store', () => void closed.push('store'));
  stack.defer('server', () => {
    throw new Error('busy');
  });
  await expect(stack.run()).rejects.toThrow('server could not be closed');
  expect(closed).toEqual(['store']);
});

test('running twice closes once', async () => {
  let count = 0;
  const stack = createCleanupStack();
  stack.defer('store', () => {
    count += 1;
  });
  await stack.run();
  await stack.run();
  expect(count).toBe(1);
});
