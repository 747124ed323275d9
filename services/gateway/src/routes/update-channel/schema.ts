import { channelSchema, channelSettingsSchema } from '../resources/channel';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const updateChannelSchema = {
  summary: 'Change a channel',
  params: idParams,
  body: channelSettingsSchema,
  data: channelSchema,
} as const satisfies OperationSchema;
