import type {
  AccountRules,
  AccountStore,
  AcquireLease,
  ClaimStore,
  OutboxStore,
  StatementStore,
} from '@tollgate/billing/model-api';
import type {
  BillingPort,
  CompletionRequest,
  LeaseManager,
  LeaseRules,
  Spool,
  SpoolRules,
  UsagePublisherPort,
  UsageSpool,
} from '@tollgate/completion/model-api';
import type { Profile } from '../workload/profile';
import type { Process } from '../world/process';

/**
 * A bug that is put into the system on purpose. It wraps what the product takes as a parameter
 * anyway; what is left out stays as it is.
 */
export interface PlantedBug {
  /** Makes what is rare, and what the bug needs, frequent. */
  readonly changeProfile?: (profile: Profile) => Profile;
  readonly accountRules?: (rules: AccountRules) => AccountRules;
  readonly accountStore?: (store: AccountStore, process: Process) => AccountStore;
  readonly outboxStore?: (store: OutboxStore, process: Process) => OutboxStore;
  readonly claimStore?: (store: ClaimStore) => ClaimStore;
  readonly statementStore?: (store: StatementStore) => StatementStore;
  /** Runs before an acquire is handled; answers the command to handle. */
  readonly acquireCommand?: (
    command: AcquireLease,
    accountId: string,
    store: AccountStore,
  ) => Promise<AcquireLease>;
  /** A request as completion reads it. */
  readonly request?: (request: CompletionRequest) => CompletionRequest;
  readonly leaseRules?: (rules: LeaseRules) => LeaseRules;
  readonly spoolRules?: (rules: SpoolRules) => SpoolRules;
  /** The spool as leases and requests see it. */
  readonly usageSpool?: (spool: Spool, process: Process) => UsageSpool;
  /** The leases as a request sees them. */
  readonly runLeases?: (leases: LeaseManager, process: Process) => LeaseManager;
  readonly publisher?: (publisher: UsagePublisherPort, spool: Spool) => UsagePublisherPort;
  /** Billing as completion's leases hear it. */
  readonly heardBilling?: (billing: BillingPort) => BillingPort;
  readonly createNonce?: (createNonce: () => string) => () => string;
}

/** Nothing is wrong. */
export const NO_PLANTED_BUG: PlantedBug = {};
