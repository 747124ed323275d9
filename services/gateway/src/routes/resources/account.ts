import type { identityV1 } from '@tollgate/protos';
import { z } from 'zod';
import { isoTime } from './values';

const status = z.enum(['active', 'suspended']);

/** An account as operators see it. */
export const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  status,
  overrides: z.object({
    groups: z.array(z.string()).meta({
      description: 'Channel groups that the account may name, besides the ones that are open.',
    }),
  }),
  created_at: isoTime,
  updated_at: isoTime,
});

export const planId = z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be the id of a plan.');
export const accountStatus = status;

export function toAccount(account: identityV1.Account__Output): z.infer<typeof accountSchema> {
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    status: account.status === 'ACCOUNT_STATUS_ACTIVE' ? 'active' : 'suspended',
    overrides: { groups: account.groups },
    created_at: account.createdAt,
    updated_at: account.updatedAt,
  };
}
