import { AppError } from '@tollgate/core';
import type { Counter, Metrics } from '@tollgate/observability';
import type { IdentityOperations } from './operations/operations';
import type { OutboxDestination } from './operations/outbox-destinations';

export interface IdentityMetrics {
  /** The operations with their outcomes counted: `ok`, or the code of the error. */
  countOutcomes(operations: IdentityOperations): IdentityOperations;
  /** Counts a record whose events are quarantined. */
  countQuarantined(destination: OutboxDestination): void;
}

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

type OutcomeCounters = Readonly<Record<keyof typeof COUNTED, Counter<'outcome'>>>;

/** Every metric of the service. */
export function createIdentityMetrics(metrics: Metrics): IdentityMetrics {
  const outcomesOf = (name: keyof typeof COUNTED) =>
    metrics.counter({ name: NAMES[name], help: COUNTED[name], labels: ['outcome'] });
  const outcomes: OutcomeCounters = {
    verifyApiKey: outcomesOf('verifyApiKey'),
    login: outcomesOf('login'),
    refreshSession: outcomesOf('refreshSession'),
    completeOAuth: outcomesOf('completeOAuth'),
  };
  const quarantined = metrics.counter({
    name: 'tollgate_identity_quarantined_total',
    help: 'Keys and accounts whose events failed alone and wait a minute, by destination.',
    labels: ['destination'],
  });
  return {
    countOutcomes: (operations) => withOutcomes(operations, outcomes),
    countQuarantined: (destination) => quarantined.inc({ destination }),
  };
}

function withOutcomes(
  operations: IdentityOperations,
  outcomes: OutcomeCounters,
): IdentityOperations {
  const counted = <Input extends unknown[], Output>(
    counter: Counter<'outcome'>,
    operation: (...input: Input) => Promise<Output>,
  ) => {
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
    verifyApiKey: counted(outcomes.verifyApiKey, operations.verifyApiKey),
    login: counted(outcomes.login, operations.login),
    refreshSession: counted(outcomes.refreshSession, operations.refreshSession),
    completeOAuth: counted(outcomes.completeOAuth, operations.completeOAuth),
  };
}
