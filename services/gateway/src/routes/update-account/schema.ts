import { z } from 'zod';
import { accountSchema, accountStatus } from '../resources/account';
import { groupName } from '../resources/channel';
import { displayText, idParams } from '../resources/values';
import type { OperationSchema } from '../route';

const GRANTED_GROUPS_MAX = 100;

export const updateAccountSchema = {
  summary: 'Rename, suspend or reactivate an account, or grant it channel groups',
  params: idParams,
  body: z.strictObject({
    name: displayText.optional(),
    status: accountStatus.optional(),
    overrides: z
      .strictObject({
        groups: z
          .array(groupName)
          .max(GRANTED_GROUPS_MAX)
          .optional()
          .meta({ description: 'Takes the place of the groups that were granted before.' }),
      })
      .optional(),
  }),
  data: accountSchema,
} as const satisfies OperationSchema;
