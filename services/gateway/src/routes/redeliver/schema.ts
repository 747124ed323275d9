import { idParams } from '../resources/values';
import { deliverySchema } from '../resources/webhook';
import type { OperationSchema } from '../route';

export const redeliverSchema = {
  summary: 'Deliver an event again',
  params: idParams,
  data: deliverySchema,
} as const satisfies OperationSchema;
