import type { ServiceHost } from '@tollgate/lifecycle';
import { readRpcSecurity } from '@tollgate/rpc';
import { createBillingClient } from './clients/billing-client';
import type { CompletionConfig } from './config';
import { createCompletionMetrics } from './metrics';
import { type DrainResult, drainSpool } from './operations/drain-spool';
import { toSettings } from './settings';
import { createNodeDisk } from './spool/node-disk';
import { Spool } from './spool/spool';

/** How far settling a directory came. */
export type DrainedSpool = DrainResult;

/**
 * Settles the spool in `directory`, whose process is gone for good, with the billing that the
 * configuration names. Rejects when another process holds the spool.
 */
export async function drainSpoolDirectory(
  directory: string,
  config: CompletionConfig,
  host: ServiceHost,
  timeoutMs: number,
): Promise<DrainedSpool> {
  const { clock, logger } = host;
  const metrics = createCompletionMetrics(host.metrics);
  const limits = toSettings(config).spool;
  const spool = new Spool({ disk: createNodeDisk(directory), clock, logger, limits });
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
    return await drainSpool({ spool, billing, clock, logger, metrics, timeoutMs });
  } finally {
    billing.close();
  }
}
