import { AppError } from '@tollgate/core';
import type { Counter, Metrics } from '@tollgate/observability';
import type { IdentityOperations } from './operations/operations';
import type { OutboxDestination } from './operations/outbox-record';

export interface IdentityMetrics {
  /** The operations with their outcomes counted: `ok`, or the code of the error. */
  countOutcomes(operations: IdentityOperations): IdentityOperations;
  /** Counts a record whose events are quarantined. */
  countQuarantined(destination: OutboxDestination): void;
}

/** For each operation whose outcomes operators watch. */
function createOutcomeCounters(metrics: Metrics) {
  const counter = (name: string, help: string) =>
    metrics.counter({ name, help, labels: ['outcome'] });
  return {
    verifyApiKey: counter(
      'tollgate_identity_key_verifications_total',
      'Keys that gateways asked about, by outcome.',
    ),
    login: counter('tollgate_identity_logins_total', 'Logins with email and password, by outcome.'),
    refreshSession: counter(
      'tollgate_identity_session_refreshes_total',
      'Refresh tokens presented, by outcome.',
    ),
    completeOAuth: counter(
      'tollgate_identity_oauth_logins_total',
      'Logins at outside providers, by outcome.',
    ),
  };
}

/** Every metric of the service. */
export function createIdentityMetrics(metrics: Metrics): IdentityMetrics {
  const outcomes = createOutcomeCounters(metrics);
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
  outcomes: ReturnType<typeof createOutcomeCounters>,
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
