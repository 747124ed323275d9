import { idParams, noMembers } from '../resources/values';
import { deliverySchema } from '../resources/webhook';
import type { OperationSchema } from '../route';

export const redeliverSchema = {
  summary: 'Deliver an event again',
  params: idParams,
  body: noMembers,
  data: deliverySchema,
  idempotency: 'optional',
} as const satisfies OperationSchema;
