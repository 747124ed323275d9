import { PAGE_SIZE_MAX } from '@tollgate/core';
import type { LedgerItem, OperatorBalance, ShownAccount } from '@tollgate/gateway';
import type { Command } from 'commander';
import { readLimit } from '../option-readers';
import { askOnce, type Listed, listAll, type Page, type Product } from '../product-client';
import { type AddCommand, LIMIT_HELP, NAMED_ACCOUNT } from './add-command';
import {
  type AccountAudit,
  type DescribedBalance,
  describeBrokenOff,
  describeMoney,
  RUNNING_TOLD_MAX,
} from './describe-money';
import { type ChangedPrice, describeChangedPrice, newestOfModels } from './describe-price';
import type { DescribedRequest } from './describe-request';
import { findAccount, readChannelNames } from './find-named';

const ONCE_HELP =
  'the same key again does nothing more; one is made, and told when it stays open whether it was done';

/** What concerns one account: what it is, its money, and whether it may do anything. */
export function addAccount(account: Command, addCommand: AddCommand): void {
  addCommand(
    account.command('list').description('all accounts, newest first'),
    (product) => listAll(product, `/v1/admin/accounts?limit=${PAGE_SIZE_MAX}`),
    ['id', 'name', 'plan', 'status', 'created_at'],
  );
  addCommand(
    account
      .command('show')
      .argument('<account>', NAMED_ACCOUNT)
      .description(
        'its terms, balance, whether its books add up, its credits and adjustments, its last charges ' +
          'but those of 0, members and keys',
      ),
    async (product, [named = '']) =>
      showAccount(product, encodeURIComponent(await findAccount(product, named))),
  );
  addCommand(
    account
      .command('ledger')
      .argument('<account>', NAMED_ACCOUNT)
      .option('--kind <kind>', 'charge, credit or adjustment')
      .option('--limit <count>', LIMIT_HELP, readLimit, '50')
      .description('its entries, newest first, with what an operator wrote to them'),
    async (product, [named = ''], { kind, limit = '' }) => {
      const id = encodeURIComponent(await findAccount(product, named));
      const only = kind === undefined ? '' : `&kind=${encodeURIComponent(kind)}`;
      return itemsOf(
        product,
        `/v1/admin/accounts/${id}/ledger?limit=${encodeURIComponent(limit)}${only}`,
      );
    },
    ['created_at', 'kind', 'amount', 'by', 'request_id', 'note'],
  );
  for (const [name, kind, why] of MONEY) {
    const command = account
      .command(name)
      .argument('<account>', NAMED_ACCOUNT)
      .requiredOption('--amount <amount>', `such as ${name === 'credit' ? '10.00' : '-1.50'}`)
      .requiredOption(`--${why} <text>`, 'stands in the ledger')
      .option('--idempotency-key <key>', ONCE_HELP);
    addCommand(
      command.description(`the balance, by an entry of the kind ${kind}`),
      async (product, [named = ''], options) => {
        const one = `/v1/admin/accounts/${encodeURIComponent(await findAccount(product, named))}`;
        const body = { amount: options.amount, [why]: options[why] };
        const change = { method: 'POST', body } as const;
        const made = await askOnce(product, `${one}/${kind}s`, change, options.idempotencyKey);
        // It is booked, whether or not the balance can be told now.
        const now = (await product.ask(`${one}/balance`).catch(() => ({}))) as DescribedBalance;
        return { ...(made as object), balance: now.balance, available: now.available };
      },
    );
  }
  for (const [name, status] of STATUSES) {
    const command = account.command(name).argument('<account>', NAMED_ACCOUNT);
    addCommand(
      command.description(`sets its status to ${status}`),
      async (product, [named = '']) => {
        const id = encodeURIComponent(await findAccount(product, named));
        return product.ask(`/v1/admin/accounts/${id}`, { method: 'PATCH', body: { status } });
      },
    );
  }
  addErase(account, addCommand);
}

function addErase(account: Command, addCommand: AddCommand): void {
  const erase = account
    .command('erase')
    .argument('<account>', 'its id')
    .requiredOption('--yes', 'say that it is meant: an erased account cannot be had back')
    .option('--idempotency-key <key>', ONCE_HELP)
    .description('ends its keys and sessions, removes its people, and leaves its numbers');
  addCommand(erase, async (product, [named = ''], { idempotencyKey }) => {
    await requireId(product, named);
    const one = `/v1/admin/accounts/${encodeURIComponent(named)}`;
    return askOnce(product, one, { method: 'DELETE' }, idempotencyKey);
  });
}

/** What cannot be had back is not done to an account that was found by a name. */
async function requireId(product: Product, named: string): Promise<void> {
  if (named.startsWith('acc_')) return;
  const id = await findAccount(product, named);
  throw new Error(`an account is erased by its id alone: ${named} is ${id}`);
}

/** All that explains the balance of an account, its charges apart from what was given. */
async function showAccount(product: Product, id: string): Promise<object> {
  const one = `/v1/admin/accounts/${id}`;
  const { in_words, ...told } = (await product.ask(`${one}/balance?audit=true`)) as Told;
  const { audit: quick, running = null, ...balance } = told;
  const audit = quick ?? (await readAudit(product, id));
  const account = (await product.ask(one)) as Shown;
  const ledgerOf = async (kind: string, limit: number) => {
    const page = await product.ask(`${one}/ledger?kind=${kind}&limit=${limit}`);
    return (page as { readonly items: readonly LedgerItem[] }).items;
  };
  const charges = await ledgerOf('charge', PAGE_SIZE_MAX);
  const { discount } = account.overrides;
  const changed = await readChangedPrices(product, charges);
  const channels = (running?.items ?? []).slice(0, RUNNING_TOLD_MAX);
  const names = await readChannelNames(
    product,
    channels.map(({ channel_id: id }) => id),
  );
  const money = describeMoney({
    account: { ...account, discount },
    auditedLater: quick === null ? audit : undefined,
    balance,
    in_words,
    names,
    running,
  });
  return {
    in_short: [
      money,
      describeBrokenOff(charges, ENTRIES_SHOWN),
      ...changed.map(describeChangedPrice),
    ]
      .filter((part) => part !== undefined)
      .join('; '),
    ...account,
    balance,
    audit,
    running,
    changed_prices: changed,
    credits: await ledgerOf('credit', GRANTS_SHOWN),
    adjustments: await ledgerOf('adjustment', GRANTS_SHOWN),
    charges: charges.filter(({ amount }) => Number(amount) !== 0).slice(0, ENTRIES_SHOWN),
    members: await listAll(product, `${one}/members?limit=${PAGE_SIZE_MAX}`),
    keys: await listAll(product, `${one}/keys?limit=${PAGE_SIZE_MAX}`),
  };
}

/** A very long ledger, which takes longer than a balance is waited for. */
async function readAudit(product: Product, id: string): Promise<Audit> {
  const { drift, findings, ok } = (await product.ask(`/v1/admin/audit?account_id=${id}`)) as Audit;
  return { ok, drift, findings };
}

async function itemsOf(product: Product, list: string): Promise<readonly Listed[]> {
  return ((await product.ask(list)) as Page).items;
}

type Audit = Pick<AccountAudit, 'drift' | 'findings' | 'ok'>;

interface Told
  extends DescribedBalance,
    Pick<OperatorBalance, 'in_words'>,
    Partial<Pick<OperatorBalance, 'running'>> {
  /** Null when it took too long. */
  readonly audit: Audit | null;
}

/** An older gateway leaves out who made it so. */
type Shown = Pick<ShownAccount, 'id' | 'name' | 'overrides' | 'status'> &
  Partial<Pick<ShownAccount, 'discount_set' | 'switched_off'>>;

const ENTRIES_SHOWN = 10;
const GRANTS_SHOWN = 50;

const MODELS_READ_MAX = 5;

/**
 * Of the models charged last, newest first, those whose price replaced another one since the oldest
 * charge. The first price of a model is no change.
 */
async function readChangedPrices(
  product: Product,
  charges: readonly LedgerItem[],
): Promise<readonly ChangedPrice[]> {
  const newest = newestOfModels(charges).slice(0, MODELS_READ_MAX);
  const read = newest.map(async ({ model, request_id }) => {
    const story = await product.ask(`/v1/admin/requests/${encodeURIComponent(request_id ?? '')}`);
    const { list_price: list } = story as DescribedRequest;
    const oldest = charges.at(-1)?.created_at ?? '';
    if (!list || list.before === null || model === null) return [];
    return list.since >= oldest ? [{ model, ...list }] : [];
  });
  const settled = await Promise.allSettled(read);
  return settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

const MONEY = [
  ['credit', 'credit', 'note'],
  ['adjust', 'adjustment', 'reason'],
] as const;
const STATUSES = [
  ['suspend', 'suspended'],
  ['resume', 'active'],
] as const;
