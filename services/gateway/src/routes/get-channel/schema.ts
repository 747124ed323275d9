import { channelSchema } from '../resources/channel';
import { idParams } from '../resources/values';
import type { OperationSchema } from '../route';

export const getChannelSchema = {
  summary: 'Get one channel',
  params: idParams,
  data: channelSchema,
} as const satisfies OperationSchema;
