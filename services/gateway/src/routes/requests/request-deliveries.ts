import { toIsoTime } from '@tollgate/core';
import { z } from 'zod';
import type { RpcContext, Services } from '../operation';
import { deliverySchema, toDelivery } from '../webhooks';

const BEFORE_MS = 60_000;
const AFTER_MS = 300_000;
const DELIVERIES_MAX = 20;

/** What the account was told by webhook while the request ran, and soon before and after. */
export const deliveriesSchema = z
  .array(deliverySchema)
  .nullable()
  .meta({
    description:
      'Webhook deliveries of the account from a minute before its beginning to five minutes after ' +
      'its end, the first 20: an event such as balance.low is of the account, not of one request. ' +
      'Null when they cannot be read now.',
  });

export async function readDeliveries(
  accountId: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  { webhook }: Pick<Services, 'webhook'>,
  rpc: RpcContext,
): Promise<z.infer<typeof deliveriesSchema>> {
  const span = { start: toIsoTime(startMs - BEFORE_MS), end: toIsoTime(endMs + AFTER_MS) };
  try {
    const asked = { accountId, ...span, limit: DELIVERIES_MAX };
    const { deliveries } = await webhook.listAccountDeliveries(asked, rpc);
    return deliveries.map(toDelivery);
  } catch {
    // The rest of the story is told all the same; the log of the call has the failure.
    return null;
  }
}
