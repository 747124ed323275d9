import type { ServiceHost } from '@tollgate/lifecycle';
import { controlPlane, createRpcClient, readRpcSecurity } from '@tollgate/rpc';
import type { CompletionConfig } from './config';

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
    // As the instance that is gone: whoever may run one may give one up.
    caller: 'completion',
    security: readRpcSecurity(config),
    ...{ host, deadlineMs },
  });
  try {
    return (await billing.retireLeases({ holder: spoolId })).retired;
  } finally {
    billing.close();
  }
}
