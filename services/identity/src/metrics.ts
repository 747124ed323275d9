import { AppError } from '@tollgate/core';
import type { Metrics } from '@tollgate/observability';
import type { IdentityOperations } from './operations/operations';
import type { OutboxDestination } from './operations/outbox-destinations';

/** The operations whose outcomes operators watch. */
const COUNTED = {
  verifyApiKey: 'Keys that gateways asked about, by outcome.',
  login: 'Logins with email and password, by outcome.',
  refreshSession: 'Refresh tokens presented, by outcome.',
  completeOAuth: 'Logins at outside providers, by outcome.',
} as const;

const NAMES = {
  verifyApiKey: 'tollgate_identity_key_verifications_total',
  login: 'tollgate_identity_logins_total',
  refreshSession: 'tollgate_identity_session_refreshes_total',
  completeOAuth: 'tollgate_identity_oauth_logins_total',
} as const satisfies Readonly<Record<keyof typeof COUNTED, string>>;

/** Counts records whose events are quarantined. */
export function createQuarantineCounter(metrics: Metrics): (to: OutboxDestination) => void {
  const counter = metrics.counter({
    name: 'tollgate_identity_quarantined_total',
    help: 'Keys and accounts whose events failed alone and wait a minute, by destination.',
    labels: ['destination'],
  });
  return (destination) => counter.inc({ destination });
}

/** The operations with their outcomes counted: `ok`, or the code of the error. */
export function withMetrics(operations: IdentityOperations, metrics: Metrics): IdentityOperations {
  const counted = <Input extends unknown[], Output>(
    name: keyof typeof COUNTED,
    operation: (...input: Input) => Promise<Output>,
  ) => {
    const counter = metrics.counter({
      name: NAMES[name],
      help: COUNTED[name],
      labels: ['outcome'],
    });
    return async (...input: Input): Promise<Output> => {
      try {
        const output = await operation(...input);
        counter.inc({ outcome: 'ok' });
        return output;
      } catch (error) {
        counter.inc({ outcome: error instanceof AppError ? error.code : 'INTERNAL_ERROR' });
        throw error;
      }
    };
  };
  return {
    ...operations,
    verifyApiKey: counted('verifyApiKey', operations.verifyApiKey),
    login: counted('login', operations.login),
    refreshSession: counted('refreshSession', operations.refreshSession),
    completeOAuth: counted('completeOAuth', operations.completeOAuth),
  };
}
