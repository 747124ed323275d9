import type { Environment } from '@tollgate/config';
import { formatAmount, nano, parseAmount } from '@tollgate/core';
import type { AuditAnswer } from '@tollgate/gateway';
import { type CommandOutcome, toOutcome } from '../outcome';
import { createProduct } from '../product-client';

export interface AuditRequest {
  /** The product's public address, without a path. */
  readonly url: string;
  /** For each part of the answer. */
  readonly timeoutMs: number;
  readonly json: boolean;
  /** Told after each part that is not the last. */
  progress(sentence: string): void;
}

type Checked = Omit<AuditAnswer, 'complete' | 'duration_ms' | 'next_cursor' | 'reserved'>;
/** Versions that always check everything do not say whether it is complete. */
type AuditPart = Checked & Partial<Pick<AuditAnswer, 'complete' | 'next_cursor'>>;

/**
 * Checks every account's money through the running product, part by part, each within the time that
 * an answer may take; safe at any time.
 */
export async function auditMoney(
  request: AuditRequest,
  environment: Environment,
): Promise<CommandOutcome> {
  const product = createProduct(request.url, environment, request.timeoutMs);
  const parts: AuditPart[] = [];
  let query = 'fresh=true';
  try {
    for (;;) {
      const part = (await product.ask(`/v1/admin/audit?${query}`)) as AuditPart;
      parts.push(part);
      if (part.complete !== false) {
        const audit = sumOf(parts);
        return toOutcome(audit.ok ? 0 : 1, audit, { json: request.json, text: toText(audit) });
      }
      const next = `cursor=${encodeURIComponent(part.next_cursor ?? '')}`;
      if (part.accounts_checked === 0 && (next === 'cursor=' || next === query)) {
        throw new Error('the next account takes longer than there is time for an answer');
      }
      query = next;
      const { accounts_checked: accounts, findings } = sumOf(parts);
      request.progress(`${accounts} accounts checked, ${findings.length} findings`);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    const text = `no audit was made: ${reason}`;
    return toOutcome(1, { error: reason }, { json: request.json, text });
  }
}

/** The parts as one audit, of the time of the last. */
function sumOf(parts: readonly AuditPart[]): Checked {
  const amountOf = (name: 'drift' | 'absorbed' | 'overrun') =>
    formatAmount(nano(parts.reduce((sum, part) => sum + readAmount(part[name]), 0n)));
  return {
    ok: parts.every(({ ok }) => ok),
    drift: amountOf('drift'),
    accounts_checked: parts.reduce((sum, part) => sum + part.accounts_checked, 0),
    absorbed: amountOf('absorbed'),
    overrun: amountOf('overrun'),
    findings: parts.flatMap(({ findings }) => findings),
    checked_at: parts.at(-1)?.checked_at ?? '',
  };
}

function readAmount(text: string): bigint {
  const amount = parseAmount(text);
  if (amount === undefined) throw new Error(`${text} is no amount`);
  return amount;
}

function toText(audit: Checked): string {
  const lines = [
    audit.ok ? 'The books balance.' : 'The books do not balance.',
    `  accounts  ${audit.accounts_checked}`,
    `  drift     ${audit.drift}`,
    `  absorbed  ${audit.absorbed}`,
    `  overrun   ${audit.overrun}`,
    `  checked   ${audit.checked_at}`,
    ...audit.findings.map(({ account_id, rule, detail }) => `  ${account_id} ${rule}: ${detail}`),
  ];
  return lines.join('\n');
}
