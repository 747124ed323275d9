import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { amount, toAmount } from '../../money/amounts';
import { createPartialAnswer } from '../asking/partial-answer';
import { required } from '../asking/required';
import { operation } from '../operation';
import { idParams, isoTime, named, queryFlag } from '../payloads/values';
import { readRunningRequests, runningRequestsSchema } from '../requests/running-requests';
import { balanceSchema, toBalance } from './balance';

/** The balance as operators see it: on request with the verdict of an audit that is made now. */
const operatorBalanceSchema = named('OperatorBalance', {
  ...balanceSchema.shape,
  credited: amount
    .nullable()
    .describe(
      'Every credit, without adjustments. Null when `audit` was not asked, and when the ' +
        'statements cannot be read or do not add up to `total_credits`.',
    ),
  adjusted: amount
    .nullable()
    .describe('Every adjustment; below 0 when more was taken back. Null as `credited` is.'),
  in_words: z.string().meta({ example: '5.00 credited - 0.04 used = 4.96, adds up; ...' }),
  audit: z
    .object({
      ok: z.boolean(),
      drift: amount,
      findings: z.array(z.object({ rule: z.string(), detail: z.string() })),
      checked_at: isoTime,
    })
    .nullable()
    .describe('Of this account, made now. Null when it was not asked or took too long.'),
  running: runningRequestsSchema
    .nullable()
    .describe(
      'Which requests hold what is reserved; the rest of it is held for those that come next, and ' +
        'goes back when none comes. Null when `audit` was not asked, and when nobody could be asked.',
    ),
});

export type OperatorBalance = z.output<typeof operatorBalanceSchema>;

/** A very long ledger is audited by the endpoint of audits, which takes longer. */
const AUDIT_DEADLINE_MS = 5_000;

export const getAccountBalance = operation(
  {
    summary: 'Get the balance of any account, and whether its books add up',
    params: idParams,
    query: z.strictObject({
      audit: queryFlag(
        'Audits the account now: all its entries are read. Tells its running requests as well.',
      ),
    }),
    data: operatorBalanceSchema,
  },
  async ({ params, query }, services) => {
    const { billing, identity } = services;
    const accountId = params.id;
    const { account } = await identity.getAccount({ accountId });
    const { ask } = createPartialAnswer();
    const soon = { deadlineMs: AUDIT_DEADLINE_MS };
    const ifAsked = <Part>(about: string, read: () => Promise<Part>) =>
      query.audit ? ask(about, read) : undefined;
    const [balance, audited, months, running] = await Promise.all([
      billing.getBalance({ accountId }),
      ifAsked('audit', () => billing.audit({ accountId }, soon)),
      ifAsked('statements', () => billing.listStatements({ accountId }, soon)),
      ifAsked('requests', () => readRunningRequests(accountId, services)),
    ]);
    const told = {
      ...toBalance(balance, accountId, required(account).plan),
      ...toGrants(balance, months?.statements),
    };
    const audit = audited === undefined || audited.partial ? null : toVerdict(audited);
    const in_words = sayBooks(told, audit);
    return { data: { ...told, in_words, audit, running: running ?? null } };
  },
);

/** From the monthly sums; while they are not those of the balance nothing is told. */
function toGrants(
  { totalCredits }: Pick<billingV1.GetBalanceResponse__Output, 'totalCredits'>,
  months: readonly billingV1.Statement__Output[] = [],
) {
  const sumOf = (kind: 'adjustments' | 'credits') =>
    months.reduce((sum, month) => sum + BigInt(month[kind]), 0n);
  const [credited, adjusted] = [sumOf('credits'), sumOf('adjustments')];
  if (months.length === 0 || credited + adjusted !== BigInt(totalCredits)) {
    return { credited: null, adjusted: null };
  }
  return { credited: toAmount(String(credited)), adjusted: toAmount(String(adjusted)) };
}

function toVerdict({ checkedAt, drift, findings, ok }: billingV1.AuditResponse__Output) {
  return {
    ok,
    drift: toAmount(drift),
    findings: findings.map(({ detail, rule }) => ({ rule, detail })),
    checked_at: checkedAt,
  };
}

/** `5.00 credited - 0.04 used = 4.96, adds up; 0.50 reserved for requests ..., 4.46 available`. */
function sayBooks(
  told: Omit<OperatorBalance, 'audit' | 'in_words' | 'running'>,
  audit: OperatorBalance['audit'],
): string {
  const sum = `${sayGrants(told)} - ${told.total_usage} used = ${told.balance}`;
  const held = `${told.reserved} reserved for requests that run or may come next`;
  const books = `${sum}, ${sayVerdict(audit)}; ${held}, ${told.available} available`;
  return told.spending?.suspended
    ? `${books}; spends nothing below ${told.spending.suspend_below}, as it set itself`
    : books;
}

function sayGrants({
  adjusted,
  credited,
  total_credits,
}: Pick<OperatorBalance, 'adjusted' | 'credited' | 'total_credits'>): string {
  if (credited === null || adjusted === null) return `${total_credits} in`;
  if (/^-?[0.]+$/.test(adjusted)) return `${credited} credited`;
  return `${credited} credited ${adjusted.replace(/^-?/, (sign) => `${sign || '+'} `)} adjusted`;
}

function sayVerdict(audit: OperatorBalance['audit']): string {
  if (audit === null) return 'not audited: GET /v1/admin/audit?account_id= takes longer';
  if (audit.ok) return 'adds up';
  const count = audit.findings.length;
  return `does NOT add up (${count} ${count === 1 ? 'finding' : 'findings'} in audit)`;
}
