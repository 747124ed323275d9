import { z } from 'zod';
import { amount } from '../../money/amounts';
import { operation } from '../operation';
import { answerOf } from '../payloads/answer-of';
import { opaqueCursor } from '../payloads/paging';
import { isoTime, queryFlag, textOrNull } from '../payloads/values';

/** A fresh audit answers before this with what it has checked. */
const DEADLINE_MS = 60_000;

/** Billing goes on after an account. */
const accountCursor = opaqueCursor('after', /.{1,256}/);

const auditSchema = z.object({
  ok: z.boolean().describe('Nothing was found in what was checked.'),
  drift: amount,
  accounts_checked: z.int(),
  absorbed: amount,
  overrun: amount,
  reserved: amount,
  findings: z
    .array(z.object({ account_id: z.string(), rule: z.string(), detail: z.string() }))
    .describe('At most 1000.'),
  checked_at: isoTime,
  duration_ms: z.int().describe('How long it took until checked_at.'),
  complete: z
    .boolean()
    .describe('False when the time was over first: the rest is asked for with next_cursor.'),
  next_cursor: z
    .string()
    .nullable()
    .describe('Null when it is complete, or when no account was checked in time.'),
});
export type AuditAnswer = z.output<typeof auditSchema>;

export const getAudit = operation(
  {
    summary: 'Check that every amount adds up',
    query: z.strictObject({
      account_id: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .meta({ pattern: '^[!-~]+$', description: 'Audits this account alone, now.' }),
      fresh: queryFlag(
        'Makes a new audit, as far as it comes in about a minute. Without it the newest ' +
          'audit is answered that was completed in the background.',
      ),
      cursor: z
        .string()
        .min(1)
        .max(512)
        .optional()
        .describe('The next_cursor of an answer that was not complete: goes on there, now.'),
    }),
    rules: { cursor: 'must be the next_cursor of an answer that was not complete' },
    data: auditSchema,
  },
  async ({ query }, { billing }) => {
    const audit = await billing.audit(
      {
        accountId: query.account_id ?? '',
        fresh: query.fresh,
        cursor: accountCursor.read(query.cursor),
      },
      { deadlineMs: DEADLINE_MS },
    );
    const findings = audit.findings.map(({ accountId: account_id, rule, detail }) => ({
      account_id,
      rule,
      detail,
    }));
    const next_cursor = textOrNull(accountCursor.write(audit.nextCursor));
    const own = { findings, complete: !audit.partial, next_cursor };
    return { data: answerOf(auditSchema, audit, own) };
  },
);
