import { type Api, createApi, toNano } from '../support/api';
import { untilAnswered } from '../support/eventually';
import type { LoadedAccount } from './accounts';
import type { FaultSystem } from './fault-system';

/** A line of the ledger; amounts in nano-units, charges and credits positive. */
export interface LedgerLine {
  readonly seq: number;
  readonly kind: 'credit' | 'charge';
  readonly amountNano: bigint;
  readonly requestId: string;
  readonly keyId: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly source: string;
  readonly reason: string;
}

/** How an account stands. */
export interface AccountBalance {
  readonly id: string;
  readonly name: string;
  /** What we granted. */
  readonly grantedNano: bigint;
  readonly balanceNano: bigint;
  readonly reservedNano: bigint;
  readonly availableNano: bigint;
  readonly creditsNano: bigint;
  readonly usageNano: bigint;
}

/** Everything that the service says of one account. */
export interface AccountBooks extends AccountBalance {
  /** Oldest first. */
  readonly ledger: readonly LedgerLine[];
  readonly stats: StatsTotals;
  readonly keys: readonly KeyBooks[];
}

export interface StatsTotals {
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly spendNano: bigint;
}

export interface KeyBooks {
  readonly id: string;
  readonly budgetNano: bigint | undefined;
  readonly spentNano: bigint | undefined;
}

export interface AuditReport {
  readonly ok: boolean;
  readonly driftNano: bigint;
  readonly reservedNano: bigint;
  readonly absorbedNano: bigint;
  readonly overrunNano: bigint;
  readonly findings: readonly unknown[];
}

/** The audit, as soon as somebody can make it. */
export function readAudit(system: FaultSystem): Promise<AuditReport> {
  return untilAnswered('the audit', async () => {
    const audit = await (await system.operator()).get('/v1/admin/audit?fresh=true');
    return {
      ok: audit.ok === true,
      driftNano: toNano(audit.drift),
      reservedNano: toNano(audit.reserved),
      absorbedNano: toNano(audit.absorbed),
      overrunNano: toNano(audit.overrun),
      findings: audit.findings as readonly unknown[],
    };
  });
}

/** How an account stands, read with one of its own keys. */
export function readBalance(system: FaultSystem, account: LoadedAccount): Promise<AccountBalance> {
  return untilAnswered(`the balance of ${account.name}`, async () => {
    const balance = await apiOf(system, account).get('/v1/billing/balance');
    return {
      id: account.id,
      name: account.name,
      grantedNano: account.granted,
      balanceNano: toNano(balance.balance),
      reservedNano: toNano(balance.reserved),
      availableNano: toNano(balance.available),
      creditsNano: toNano(balance.total_credits),
      usageNano: toNano(balance.total_usage),
    };
  });
}

/** Everything that the service says of an account. */
export async function readBooks(
  system: FaultSystem,
  account: LoadedAccount,
): Promise<AccountBooks> {
  const balance = await readBalance(system, account);
  return untilAnswered(`the books of ${account.name}`, async () => {
    const api = apiOf(system, account);
    return {
      ...balance,
      ledger: await readLedger(api),
      stats: await readStats(api),
      keys: await Promise.all(account.keys.map(({ id }) => readKey(api, id))),
    };
  });
}

/** The last key has no budget that could stand in the way. */
function apiOf({ baseUrl }: FaultSystem, { keys }: LoadedAccount): Api {
  return createApi(baseUrl, keys.at(-1)?.secret);
}

async function readLedger(api: Api): Promise<readonly LedgerLine[]> {
  const lines: LedgerLine[] = [];
  let cursor = '';
  do {
    const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = (await api.get(`/v1/billing/ledger?limit=200${after}`)) as {
      readonly items: readonly Readonly<Record<string, unknown>>[];
      readonly next_cursor: string | null;
    };
    lines.push(...page.items.map(toLine));
    cursor = page.next_cursor ?? '';
  } while (cursor !== '');
  return lines.reverse();
}

function toLine(item: Readonly<Record<string, unknown>>): LedgerLine {
  const amount = toNano(item.amount);
  return {
    seq: Number(item.seq),
    kind: item.kind === 'credit' ? 'credit' : 'charge',
    amountNano: amount < 0n ? -amount : amount,
    requestId: String(item.request_id),
    keyId: String(item.key_id),
    promptTokens: Number(item.prompt_tokens),
    completionTokens: Number(item.completion_tokens),
    source: String(item.source),
    reason: String(item.reason),
  };
}

/** By model, because requests that were never begun have none, and no ledger entry either. */
async function readStats(api: Api): Promise<StatsTotals> {
  const { results } = (await api.get('/v1/stats?group_by=model')) as {
    readonly results: readonly {
      readonly group: { readonly model: string };
      readonly metrics: Readonly<Record<string, number | string>>;
    }[];
  };
  const sums = { requests: 0, promptTokens: 0, completionTokens: 0, spendNano: 0n };
  for (const { group, metrics } of results) {
    if (group.model === '') continue;
    sums.requests += Number(metrics.requests);
    sums.promptTokens += Number(metrics.prompt_tokens);
    sums.completionTokens += Number(metrics.completion_tokens);
    sums.spendNano += toNano(metrics.spend);
  }
  return sums;
}

async function readKey(api: Api, id: string): Promise<KeyBooks> {
  const key = await api.get(`/v1/keys/${id}`);
  const amountOf = (value: unknown) =>
    value === null || value === undefined ? undefined : toNano(value);
  return { id, budgetNano: amountOf(key.max_budget), spentNano: amountOf(key.spend) };
}
