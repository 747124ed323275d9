import { z } from 'zod';
import { CSV_TYPE } from '../../http/content-types';
import { toActor } from '../asking/actor';
import { required } from '../asking/required';
import { type LedgerItem, toLedgerItems } from '../billing/ledger-items';
import { toKeys } from '../keys/keys';
import { operation, type Services } from '../operation';
import { quote, toCsv } from '../payloads/csv';
import { everyPage } from '../payloads/paging';
import { idParams } from '../payloads/values';
import { toUser } from '../users/user-form';
import { toAccount } from './accounts';

/** Entries of the ledger that are read at once. */
const PAGE = 500;
const LEDGER_COLUMNS = [
  'seq',
  'kind',
  'amount',
  'request_id',
  'key_id',
  'model',
  'prompt_tokens',
  'completion_tokens',
  'source',
  'reason',
  'note',
  'created_at',
] as const;

/** An account, its people, API keys and whole ledger, page by page as the client reads it. */
export const exportAccount = operation(
  {
    summary: 'Export an account: its people, API keys and whole ledger, oldest first',
    params: idParams,
    body: z.strictObject({
      format: z
        .enum(['jsonl', 'csv'])
        .default('jsonl')
        .describe(
          'jsonl has a line for the account, each member, each API key and each ledger entry, ' +
            'named by its type; csv has the ledger alone.',
        ),
    }),
    data: z.unknown(),
    text: 'text/csv',
    streams: 'application/jsonl',
    idempotency: { ignored: 'An export changes nothing.' },
  },
  async ({ principal, params, body }, services) => {
    const { identity } = services;
    const accountId = params.id;
    const { account } = await identity.getAccount({ accountId });
    const reading = { accountId, services };
    // Before the status leaves: a service that is away is a failure like any other.
    const first = await ledgerPage(reading, '0');
    if (body.format === 'csv') {
      return { stream: ledgerTable(reading, first), contentType: CSV_TYPE };
    }
    const { id, name, plan, status, created_at } = toAccount(required(account));
    const head = { type: 'account', id, name, plan, status, created_at };
    const lines = everything({ ...reading, actor: toActor(principal) }, head, first);
    return { stream: lines, contentType: 'application/jsonl' };
  },
);

interface Reading {
  readonly accountId: string;
  readonly services: Services;
}

async function* everything(
  reading: Reading & { readonly actor: ReturnType<typeof toActor> },
  account: object,
  first: LedgerPage,
): AsyncGenerator<string> {
  const { accountId, actor, services } = reading;
  const { identity } = services;
  yield toLine(account);
  const whose = { actor, accountId };
  for await (const { users } of everyPage((page) => identity.listUsers({ ...whose, ...page }))) {
    yield users.map((user) => toLine({ type: 'member', ...toUser(user) })).join('');
  }
  for await (const { apiKeys } of everyPage((page) =>
    identity.listApiKeys({ ...whose, ...page }),
  )) {
    const keys = await toKeys(apiKeys, accountId, services);
    yield keys.map((key) => toLine({ type: 'api_key', ...key })).join('');
  }
  for await (const items of ledgerPages(reading, first)) {
    yield items.map((item) => toLine({ type: 'ledger_entry', ...item })).join('');
  }
}

function toLine(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

async function* ledgerTable(reading: Reading, first: LedgerPage): AsyncGenerator<string> {
  yield toCsv([LEDGER_COLUMNS]);
  for await (const items of ledgerPages(reading, first)) {
    yield toCsv(items.map(toRow));
  }
}

function toRow(item: LedgerItem): string[] {
  return LEDGER_COLUMNS.map((name) => {
    const text = String(item[name] ?? '');
    return name === 'note' || name === 'model' ? quote(text) : text;
  });
}

type LedgerPage = Awaited<ReturnType<typeof ledgerPage>>;

/** Upwards by sequence, which nothing that happens meanwhile can shift. */
async function ledgerPage({ accountId, services }: Reading, afterSeq: string) {
  const page = { accountId, afterSeq, limit: PAGE };
  return (await services.billing.listLedger(page)).entries;
}

async function* ledgerPages(
  reading: Reading,
  first: LedgerPage,
): AsyncGenerator<readonly LedgerItem[]> {
  const { accountId, services } = reading;
  for (let entries = first; ; ) {
    // It may be handed to the account, which knows its own people alone.
    yield await toLedgerItems(entries, { accountId }, services);
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) return;
    entries = await ledgerPage(reading, last.seq);
  }
}
