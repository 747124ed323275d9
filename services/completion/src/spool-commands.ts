import type { ServiceHost } from '@tollgate/lifecycle';
import { controlPlane, createRpcClient, readRpcSecurity } from '@tollgate/rpc';
import { createBillingClient } from './clients/billing-client';
import type { CompletionConfig } from './config';
import { createCompletionMetrics } from './metrics';
import { type OrphanedSpoolResult, settleOrphanedSpool } from './operations/settle-orphaned-spool';
import { createSpool } from './service';

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
  const billing = createBillingClient({
    address: config.billingAddress,
    security: readRpcSecurity(config),
    host,
    deadlineMs: config.billingDeadlineMs,
    holder: () => spool.spoolId,
    holderAddress: () => config.listen,
    metrics,
  });
  try {
    return await settleOrphanedSpool({ spool, billing, clock, logger, metrics, timeoutMs });
  } finally {
    billing.close();
  }
}

/**
 * Declares a spool destroyed to the billing that the configuration names; answers how many leases
 * were given up. What the spool may still send is absorbed: it must be gone for good.
 */
export async function retireSpool(
  spoolId: string,
  config: CompletionConfig,
  host: ServiceHost,
  deadlineMs: number,
): Promise<number> {
  const billing = createRpcClient(controlPlane('billing'), {
    address: config.billingAddress,
    // In the name of the instance that is gone: one deployment secret covers both.
    ownName: 'completion',
    security: readRpcSecurity(config),
    ...{ host, deadlineMs },
  });
  try {
    return (await billing.retireLeases({ holder: spoolId })).retired;
  } finally {
    billing.close();
  }
}
