import type { Product } from './ask-product';
import { findAccount, findChannel, type Listed } from './find-named';

const listing = (items: readonly Listed[]): Product => ({
  ask: async () => ({ items, next_cursor: null }),
});
const accounts = listing([
  { id: 'acc_1', name: 'Acme' },
  { id: 'acc_2', name: 'Acme Two' },
]);
const channels = listing([
  { id: 'chn_1', name: 'first channel', type: 'openai' } as Listed,
  { id: 'chn_2', name: 'second', type: 'anthropic' } as Listed,
]);

test('an account goes by its whole name, whatever the case, and by no part of it', async () => {
  expect(await findAccount(accounts, 'acme')).toBe('acc_1');
  await expect(findAccount(accounts, 'Acm')).rejects.toThrow(
    'there is no account of the id or name Acm; did you mean acc_1 ("Acme") or acc_2 ("Acme Two")?',
  );
  await expect(findAccount(listing([]), 'Acm')).rejects.toThrow(
    'there is no account of the id or name Acm',
  );
});

test.each([
  ['first', 'a part of its name'],
  ['openai', 'its vendor'],
])('a channel that %s may mean, which is %s, is told', async (named) => {
  expect((await findChannel(channels, 'First Channel')).id).toBe('chn_1');
  await expect(findChannel(channels, named)).rejects.toThrow(
    `there is no channel of the id or name ${named}; did you mean chn_1 ("first channel")?`,
  );
});
