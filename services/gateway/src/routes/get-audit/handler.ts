import type { BillingClient } from '../../clients/control-plane';
import { toAmount } from '../resources/values';
import { type Operation, operation } from '../route';
import { getAuditSchema } from './schema';

/** An audit reads every account. */
const DEADLINE_MS = 60_000;

export function createGetAudit(billing: BillingClient): Operation {
  return operation(getAuditSchema, async ({ query, context }) => {
    const audit = await billing.audit(
      { accountId: query.account_id ?? '' },
      { ...context.rpc, deadlineMs: DEADLINE_MS },
    );
    return {
      data: {
        ok: audit.ok,
        drift: toAmount(audit.drift),
        accounts_checked: audit.accountsChecked,
        absorbed: toAmount(audit.absorbed),
        overrun: toAmount(audit.overrun),
        reserved: toAmount(audit.reserved),
        findings: audit.findings.map(({ accountId, rule, detail }) => ({
          account_id: accountId,
          rule,
          detail,
        })),
        checked_at: audit.checkedAt,
      },
    };
  });
}
