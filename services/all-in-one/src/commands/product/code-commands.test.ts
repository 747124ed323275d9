import { Command } from 'commander';
import { addCode, describeCode } from './code-commands';

const at = '2026-10-02T10:00:00.000Z';
const code = {
  id: 'cod_1',
  batch_id: 'cbt_1',
  preview: '4Z7K',
  amount: '5.00',
  note: '',
  account_id: null,
  ended_at: null,
  ended_by: null,
  expires_at: null,
  created_at: at,
  created_by: 'op@tollgate.test',
  status: 'unused',
} as const;

test.each([
  [{}, 'gives 5.00 to who redeems it first'],
  [{ expires_at: at }, `gives 5.00 to who redeems it first, until ${at}`],
  [
    { status: 'expired', expires_at: at } as const,
    `gives nothing: it expired ${at}, and nobody had redeemed it`,
  ],
  [
    { status: 'revoked', ended_at: at, ended_by: 'op@tollgate.test' } as const,
    `gives nothing: it was revoked ${at} by op@tollgate.test`,
  ],
  [
    { status: 'redeemed', ended_at: at, ended_by: 'ann@acme.test', account_id: 'acc_1' } as const,
    `gives nothing any more: ann@acme.test redeemed it ${at}, 5.00 to "Acme" (acc_1)`,
  ],
])('a code says why it gives nothing, and who had it: %j', (over, told) => {
  expect(describeCode({ ...code, ...over }, 'Acme')).toBe(told);
});

test.each([null, 'a cursor'])(
  'it tells when more codes end alike than are listed: %s',
  async (next) => {
    const product = { ask: async () => ({ items: [code, code], next_cursor: next }) };
    const shown = new Promise((resolve) => {
      addCode(new Command(), (_, run) => resolve(run(product, ['ABCD-4Z7K'], {})));
    });
    const told = ['gives 5.00 to who redeems it first', 'gives 5.00 to who redeems it first'];
    const more = 'more codes end in 4Z7K: name the one you mean by its id, cod_...';
    const inShort = (next === null ? told : [...told, more]).map((in_short) => ({ in_short }));
    await expect(shown).resolves.toMatchObject(inShort);
  },
);
