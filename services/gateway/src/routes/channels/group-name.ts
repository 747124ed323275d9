import { GROUP_NAME, OWN_GROUP } from '@tollgate/core';
import { z } from 'zod';

/** The name of a channel group. */
export const groupName = z
  .string()
  .regex(GROUP_NAME, 'must be lower-case letters, digits and dashes.')
  .refine((name) => name !== OWN_GROUP, "is reserved for an account's own channels.")
  .meta({ pattern: GROUP_NAME.source.replace('^', `^(?!${OWN_GROUP}$)`) });
