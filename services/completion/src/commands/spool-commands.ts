import type { ServiceHost } from '@tollgate/lifecycle';
import { readRpcSecurity } from '@tollgate/rpc';
import { type BillingClientOptions, createBillingClient } from '../clients/billing-client';
import type { CompletionConfig } from '../config';
import { createCompletionMetrics } from '../metrics';
import { type OrphanedSpoolResult, settleOrphanedSpool } from '../operations/settle-orphaned-spool';
import { createSpool } from '../service';

/**
 * Settles the spool in `directory`, whose process is gone for good, with the billing that the
 * configuration names. Rejects when another process holds the spool.
 */
export async function settleOrphanedSpoolDirectory(
  directory: string,
  config: CompletionConfig,
  host: ServiceHost,
  timeoutMs: number,
): Promise<OrphanedSpoolResult> {
  const { clock, logger } = host;
  const metrics = createCompletionMetrics(host.metrics);
  const spool = createSpool(directory, config, host);
  const billing = connectBilling(config, {
    host,
    metrics,
    holder: () => spool.spoolId,
    deadlineMs: config.billingDeadlineMs,
  });
  try {
    return await settleOrphanedSpool({ spool, billing, clock, logger, metrics, timeoutMs });
  } finally {
    billing.close();
  }
}

/**
 * Declares a spool destroyed to the billing that the configuration names; returns how many leases
 * were given up. What the spool may still send is absorbed: it must be gone for good.
 */
export async function retireSpool(
  spoolId: string,
  config: CompletionConfig,
  host: ServiceHost,
  deadlineMs: number,
): Promise<number> {
  const metrics = createCompletionMetrics(host.metrics);
  const billing = connectBilling(config, { host, metrics, holder: () => spoolId, deadlineMs });
  try {
    return await billing.retireLeases();
  } finally {
    billing.close();
  }
}

/** In the name of the instance that is gone: one deployment secret covers both. */
function connectBilling(
  config: CompletionConfig,
  options: Pick<BillingClientOptions, 'deadlineMs' | 'holder' | 'host' | 'metrics'>,
) {
  const { billingAddress: address, listen } = config;
  const security = readRpcSecurity(config);
  return createBillingClient({ ...options, address, security, holderAddress: () => listen });
}
