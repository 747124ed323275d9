import { originOfCredit } from '@tollgate/core';
import type { billingV1, identityV1 } from '@tollgate/protos';
import { z } from 'zod';
import { amount, toAmount } from '../../money/amounts';
import { readUsers } from '../asking/names';
import { required } from '../asking/required';
import type { Services } from '../operation';
import { isoTime, named, textOrNull } from '../payloads/values';

type Entry = billingV1.LedgerEntry__Output;

/** An operator sees who anybody is; an account its own people alone. */
export type LedgerReader = 'operator' | { readonly accountId: string };

/** What moves a balance. */
export const ledgerKind = z.enum(['credit', 'charge', 'adjustment']);

export const ledgerItemSchema = named('LedgerEntry', {
  seq: z.int(),
  kind: ledgerKind,
  amount: amount.describe('Below 0 only where an adjustment took back.'),
  request_id: z.string().nullable(),
  key_id: z.string().nullable(),
  model: z.string().nullable(),
  prompt_tokens: z.int().nullable(),
  completion_tokens: z.int().nullable(),
  source: z.string().nullable(),
  reason: z.string().nullable(),
  note: z
    .string()
    .nullable()
    .describe('What the operator wrote to it, or the name of the payment.'),
  by: z
    .string()
    .nullable()
    .describe(
      "Who gave a credit or adjusted: the email of one of the account's own people, `the operator`, " +
        'or `payment system NAME`; operators are told the email of whoever it was, or an id. Null of ' +
        'charges, and for operators where it was not kept.',
    ),
  created_at: isoTime,
});
export type LedgerItem = z.infer<typeof ledgerItemSchema>;

/** Entries of a ledger as the reader sees them. */
export async function toLedgerItems(
  entries: readonly Entry[],
  reader: LedgerReader,
  services: Pick<Services, 'identity'>,
): Promise<LedgerItem[]> {
  const actorIds = entries.map(({ actorId }) => actorId);
  const users = await readUsers(actorIds, services);
  return entries.map((entry) => toLedgerItem(entry, describeActor(entry, reader, users)));
}

/** What is answered to what moved money: its entry of the ledger. */
export async function answerEntry(
  { entry, replayed }: { readonly entry: Entry | null; readonly replayed: boolean },
  reader: LedgerReader,
  services: Pick<Services, 'identity'>,
) {
  const [item] = await toLedgerItems([required(entry)], reader, services);
  return { data: required(item), replayed };
}

function toLedgerItem(entry: Entry, by: string | null): LedgerItem {
  const { record } = entry;
  return {
    seq: Number(entry.seq),
    kind: kindOf(entry.kind),
    amount: toAmount(entry.amount),
    request_id: textOrNull(record?.requestId ?? ''),
    key_id: textOrNull(record?.keyId ?? ''),
    model: textOrNull(record?.model ?? ''),
    prompt_tokens: record?.promptTokens ?? null,
    completion_tokens: record?.completionTokens ?? null,
    source: textOrNull(record?.source ?? ''),
    reason: textOrNull(record?.reason ?? ''),
    note: textOrNull(entry.note),
    by,
    created_at: entry.at,
  };
}

function kindOf(kind: string): LedgerItem['kind'] {
  return kind === 'credit' || kind === 'adjustment' ? kind : 'charge';
}

/** Whom an account may not know goes by what they are. */
function describeActor(
  { actorId, creditId, kind }: Entry,
  reader: LedgerReader,
  users: ReadonlyMap<string, Pick<identityV1.User__Output, 'accountId' | 'email'>>,
): string | null {
  if (kind !== 'credit' && kind !== 'adjustment') return null;
  const origin = originOfCredit(creditId);
  if (typeof origin === 'object') return `payment system ${origin.provider}`;
  const user = users.get(actorId);
  if (reader === 'operator' || origin === 'code') return user?.email ?? textOrNull(actorId);
  return user?.accountId === reader.accountId ? user.email : 'the operator';
}
