import type { Environment } from '@tollgate/config';
import { getJson } from '../get-json';

/** What an audit is asked of. */
export interface AuditRequest {
  /** The product's public address, without a path. */
  readonly url: string;
  readonly timeoutMs: number;
}

/** What to print, and how to exit: 0 only when the audit was made and found nothing. */
export interface CommandOutcome {
  readonly exitCode: number;
  readonly message: string;
}

interface AuditAnswer {
  readonly ok: boolean;
  readonly drift: string;
  readonly accounts_checked: number;
  readonly absorbed: string;
  readonly overrun: string;
  readonly findings: readonly {
    readonly account_id: string;
    readonly rule: string;
    readonly detail: string;
  }[];
  readonly checked_at: string;
}

/** Checks every account's money through the running product; safe at any time. */
export async function auditMoney(
  request: AuditRequest,
  environment: Environment,
): Promise<CommandOutcome> {
  const key = environment.TOLLGATE_API_KEY;
  if (key === undefined || key === '') {
    return failed('TOLLGATE_API_KEY must hold an operator key with the scope admin');
  }
  const url = `${request.url.replace(/\/+$/, '')}/v1/admin/audit`;
  try {
    const { status, body } = await getJson(url, key, request.timeoutMs);
    const answer = body as { readonly data?: AuditAnswer | null; readonly error?: unknown };
    if (status !== 200 || !answer?.data) return failed(`${url} answered ${status}`);
    return toOutcome(answer.data);
  } catch (error) {
    return failed(`${url}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function failed(sentence: string): CommandOutcome {
  return { exitCode: 1, message: `no audit was made: ${sentence}\n` };
}

function toOutcome(audit: AuditAnswer): CommandOutcome {
  const lines = [
    audit.ok ? 'The books balance.' : 'The books do not balance.',
    `  accounts  ${audit.accounts_checked}`,
    `  drift     ${audit.drift}`,
    `  absorbed  ${audit.absorbed}`,
    `  overrun   ${audit.overrun}`,
    `  checked   ${audit.checked_at}`,
    ...audit.findings.map(({ account_id, rule, detail }) => `  ${account_id} ${rule}: ${detail}`),
  ];
  return { exitCode: audit.ok ? 0 : 1, message: `${lines.join('\n')}\n` };
}
