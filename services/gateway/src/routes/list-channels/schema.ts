import { channelSchema } from '../resources/channel';
import { pageOf, pageQuery } from '../resources/page';
import type { OperationSchema } from '../route';

export const listChannelsSchema = {
  summary: 'List all channels',
  query: pageQuery,
  data: pageOf(channelSchema),
} as const satisfies OperationSchema;
