import type { ShownCode } from '@tollgate/gateway';
import type { Command } from 'commander';
import type { Listed, Page, Product } from '../product-client';
import type { AddCommand } from './add-command';

/** What became of one redeemable code, of which its holder reads out the last characters. */
export function addCode(code: Command, addCommand: AddCommand): void {
  addCommand(
    code
      .argument('<code>', 'its last four characters, the whole of it, or its id')
      .description('what a code gives or why it gives nothing: who redeemed or revoked it, when'),
    (product, [named = '']) => showCode(product, named.trim()),
  );
}

/** Codes that end alike and are all told. */
const LIKE_MAX = 10;
const PREVIEW_LENGTH = 4;

async function showCode(product: Product, named: string): Promise<object> {
  if (named.startsWith('cod_')) {
    return tell(
      product,
      (await product.ask(`/v1/admin/codes/${encodeURIComponent(named)}`)) as ShownCode,
    );
  }
  // What redeems it is no part of an address: those are logged.
  const last = named.replace(/[^A-Za-z0-9]/g, '').slice(-PREVIEW_LENGTH);
  const list = `/v1/admin/codes?limit=${LIKE_MAX}&preview=${encodeURIComponent(last)}`;
  const { items, next_cursor: next } = (await product.ask(list)) as Page<ShownCode>;
  const [only, ...more] = items;
  if (only === undefined) throw new Error(`there is no code that ends in ${last}: it is mistyped`);
  if (more.length === 0) return tell(product, only);
  const told = await Promise.all(items.map((one) => tell(product, one)));
  const rest = { in_short: `more codes end in ${last}: name the one you mean by its id, cod_...` };
  return next === null ? told : [...told, rest];
}

async function tell(product: Product, code: ShownCode): Promise<object> {
  const { account_id: id } = code;
  const read =
    id === null ? undefined : product.ask(`/v1/admin/accounts/${encodeURIComponent(id)}`);
  const name = await read?.then(
    (account) => (account as Listed).name,
    () => undefined,
  );
  return { in_short: describeCode(code, name), ...code };
}

/** `gives nothing any more: ann@acme.test redeemed it 2026-10-02T10:00:00.000Z, 5.00 to "Acme"`. */
export function describeCode(code: ShownCode, accountName: string | undefined): string {
  const { account_id, amount, ended_at: at, ended_by, expires_at: end, status } = code;
  const who = ended_by ?? 'somebody of the account';
  switch (status) {
    case 'redeemed': {
      const account = accountName === undefined ? account_id : `"${accountName}" (${account_id})`;
      return `gives nothing any more: ${who} redeemed it ${at}, ${amount} to ${account}`;
    }
    case 'revoked':
      return `gives nothing: it was revoked ${at}${ended_by === null ? '' : ` by ${ended_by}`}`;
    case 'expired':
      return `gives nothing: it expired ${end}, and nobody had redeemed it`;
    case 'unused':
      return `gives ${amount} to who redeems it first${end === null ? '' : `, until ${end}`}`;
  }
}
