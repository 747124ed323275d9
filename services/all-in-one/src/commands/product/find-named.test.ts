import type { Listed, Product } from '../product-client';
import { findAccount, findChannel, findUser, findUserId } from './find-named';

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
    'there is no account of the id or name Acm: tollgate account list has all',
  );
});

test('an account with a mistyped name is guessed', async () => {
  const ledgers = [{ id: 'acc_3', name: 'Ledger Two' }];
  const product: Product = {
    ask: async (path) => {
      const name = new URL(path, 'http://x').searchParams.get('name') ?? '';
      const items = ledgers.filter((one) => one.name.toLowerCase().startsWith(name.toLowerCase()));
      return { items, next_cursor: null };
    },
  };
  for (const typed of ['Ledgr Two', 'edger two', 'Lodger Two']) {
    await expect(findAccount(product, typed)).rejects.toThrow('did you mean acc_3 ("Ledger Two")?');
  }
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

test('two accounts of one name are told apart by whose they are', async () => {
  const product: Product = {
    ask: async (path) => ({
      next_cursor: null,
      items: path.includes('/members')
        ? [{ role: 'member' }, { role: 'owner', email: path.includes('acc_1') ? 'ann@a.test' : '' }]
        : ['acc_1', 'acc_2'].map((id) => ({ id, name: 'Acme' })),
    }),
  };
  await expect(findAccount(product, 'Acme')).rejects.toThrow(
    'Acme may be one of: acc_1 ("Acme", owned by ann@a.test), acc_2 ("Acme", owned by ',
  );
});

test('a person goes by the whole email, with spaces around it, and a mistyped one is guessed', async () => {
  const users = ['ann@acme.test', 'bob@acme.test'].map((email, at) => ({ id: `usr_${at}`, email }));
  const product: Product = {
    ask: async (path) => {
      const email = new URL(path, 'http://x').searchParams.get('email') ?? '';
      return { items: users.filter((user) => user.email.startsWith(email)), next_cursor: null };
    },
  };
  expect((await findUser(product, ' ann@acme.test ')).id).toBe('usr_0');
  for (const typed of ['an@acme.test', 'ann@acne.test', 'nann@acme.test']) {
    await expect(findUser(product, typed)).rejects.toThrow(
      `there is no user of the email ${typed}; did you mean ann@acme.test?`,
    );
  }
  await expect(findUser(product, 'carl@x.test')).rejects.toThrow(/carl@x\.test$/);
});

test('who is named otherwise than by email or id is told where to look', async () => {
  expect(await findUserId(listing([]), ' usr_1 ')).toBe('usr_1');
  await expect(findUserId(listing([]), 'fred')).rejects.toThrow(
    'fred is no email and no id of a user: tollgate user list --email fred has those',
  );
});
