import { pageOf, pageQuery } from '../resources/page';
import { idParams } from '../resources/values';
import { deliverySchema } from '../resources/webhook';
import type { OperationSchema } from '../route';

export const listDeliveriesSchema = {
  summary: 'List what was delivered to a webhook endpoint',
  params: idParams,
  query: pageQuery,
  data: pageOf(deliverySchema),
} as const satisfies OperationSchema;
