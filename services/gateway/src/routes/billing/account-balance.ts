import type { billingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { operation } from '../operation';
import { createPartialAnswer } from '../partial-answer';
import { amount, idParams, isoTime, named, required, toAmount } from '../values';
import { balanceSchema, toBalance } from './billing';

/** The balance as operators see it: on request with the verdict of an audit that is made now. */
const operatorBalanceSchema = named('OperatorBalance', {
  ...balanceSchema.shape,
  in_words: z.string().meta({ example: '5.00 in - 0.04 used = 4.96, adds up; ...' }),
  audit: z
    .object({
      ok: z.boolean(),
      drift: amount,
      findings: z.array(z.object({ rule: z.string(), detail: z.string() })),
      checked_at: isoTime,
    })
    .nullable()
    .meta({
      description: 'Of this account, made now. Null when it was not asked or took too long.',
    }),
});

/** A very long ledger is audited by the endpoint of audits, which takes longer. */
const AUDIT_DEADLINE_MS = 5_000;

export const getAccountBalance = operation(
  {
    summary: 'Get the balance of any account, and whether its books add up',
    params: idParams,
    query: z.strictObject({
      audit: z
        .enum(['true', 'false'], 'must be true or false.')
        .default('false')
        .transform((text) => text === 'true')
        .meta({
          type: 'boolean',
          description: 'Audits the account now: all its entries are read.',
        }),
    }),
    data: operatorBalanceSchema,
  },
  async ({ params, query, context }, { billing, identity }) => {
    const accountId = params.id;
    const { account } = await identity.getAccount({ accountId }, context.rpc);
    const { ask } = createPartialAnswer();
    const [balance, audited] = await Promise.all([
      billing.getBalance({ accountId }, context.rpc),
      query.audit
        ? ask('audit', () =>
            billing.audit({ accountId }, { ...context.rpc, deadlineMs: AUDIT_DEADLINE_MS }),
          )
        : undefined,
    ]);
    const told = toBalance(balance, accountId, required(account).plan);
    const audit = audited === undefined || audited.partial ? null : toVerdict(audited);
    return { data: { ...told, in_words: sayBooks(told, audit), audit } };
  },
);

function toVerdict({ checkedAt, drift, findings, ok }: billingV1.AuditResponse__Output) {
  return {
    ok,
    drift: toAmount(drift),
    findings: findings.map(({ detail, rule }) => ({ rule, detail })),
    checked_at: checkedAt,
  };
}

/** `5.00 in - 0.04 used = 4.96, adds up; 0.50 reserved, 4.46 available`. */
function sayBooks(
  told: z.output<typeof balanceSchema>,
  audit: z.output<typeof operatorBalanceSchema>['audit'],
): string {
  const sum = `${told.total_credits} in - ${told.total_usage} used = ${told.balance}`;
  const held = `${told.reserved} reserved for requests that run or may come next`;
  return `${sum}, ${sayVerdict(audit)}; ${held}, ${told.available} available`;
}

function sayVerdict(audit: z.output<typeof operatorBalanceSchema>['audit']): string {
  if (audit === null) return 'not audited: GET /v1/admin/audit?account_id= takes longer';
  if (audit.ok) return 'adds up';
  const count = audit.findings.length;
  return `does NOT add up (${count} ${count === 1 ? 'finding' : 'findings'} in audit)`;
}
