import { channelSchema, channelSettingsSchema } from '../resources/channel';
import type { OperationSchema } from '../route';

export const createChannelSchema = {
  summary: 'Create a channel',
  body: channelSettingsSchema.required({ name: true, type: true, base_url: true, models: true }),
  data: channelSchema,
  status: 201,
  idempotency: 'optional',
} as const satisfies OperationSchema;
