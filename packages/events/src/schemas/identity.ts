import { z } from 'zod';
import { identifier, shortName } from './primitives';

const keyFields = {
  account_id: identifier,
  key_id: identifier,
  name: shortName,
  actor_user_id: identifier.nullable().describe('Who did it; null when the service did.'),
};

export const keyCreated = z.object(keyFields).describe('An API key was created.');

export const keyRotated = z
  .object(keyFields)
  .describe('An API key got a new secret; the old one works until its grace period ends.');

export const keyRevoked = z
  .object({
    ...keyFields,
    deleted: z
      .boolean()
      .optional()
      .describe('True when the key is gone for good, false when it may be switched on again.'),
  })
  .describe('An API key was deleted or disabled.');

export const keyExpiring = z.object(keyFields).describe('An API key is about to expire.');

export const accountCreated = z
  .object({ account_id: identifier, plan: shortName })
  .describe('An account was opened.');

export const accountErased = z
  .object({ account_id: identifier })
  .describe(
    'An account is erased: whoever keeps something personal of it removes that, and keeps numbers. ' +
      'Told when the erasure begins and again when it ends.',
  );

export const planChanged = z
  .object({ account_id: identifier, plan: shortName, previous_plan: shortName })
  .describe('An account was moved to another plan.');
