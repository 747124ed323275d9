import { AppError } from '@tollgate/core';
import type { statsV1 } from '@tollgate/protos';
import { z } from 'zod';
import { type OperationInput, type OperationSchema, operation, type Services } from './operation';
import { conditionsSchema, readConditions } from './request-conditions';
import { isoTime, named, required } from './values';

const told = {
  account_id: z.string(),
  key_id: z.string(),
  error_code: z.string().meta({ description: 'A code of the error table.' }),
  message: z.string().meta({ description: 'What the client was told.' }),
  param: z.string().nullable().meta({ description: 'The member that was at fault.' }),
  requested_model: z
    .string()
    .nullable()
    .meta({ description: 'Null when the request was refused before its body was read.' }),
  at: isoTime,
  gateway_id: z.string().meta({ description: 'Which gateway refused it.' }),
};
const KEPT =
  'Kept for 24 hours: in ten seconds up to five of each API key and code, and 20 of an account; ' +
  'the log has all.';

/** A completion that was refused before a vendor was asked; nothing was reserved or charged. */
const refusalSchema = named('RequestRefusal', {
  request_id: z.string().meta({ description: KEPT }),
  ...told,
});

/** The same in the place of a story. */
export const refusedRequestStorySchema = named('RefusedRequestStory', {
  id: z.string().meta({ description: KEPT }),
  status: z.literal('refused'),
  ...told,
  now: conditionsSchema,
});

export const getRefusal = operation(
  {
    summary: 'Tell why a request was refused before a vendor was asked',
    params: z.object({ request_id: z.string() }),
    data: refusalSchema,
  },
  async ({ params, context }, { stats }) => {
    const { refusal } = await stats.getRefusal({ requestId: params.request_id }, context.rpc);
    const found = required(refusal);
    return { data: { request_id: found.requestId, ...toTold(found) } };
  },
);

/** Throws NOT_FOUND when nothing is known of the id. */
export async function tellRefusedRequest(
  requestId: string,
  input: OperationInput<OperationSchema>,
  services: Services,
): Promise<z.output<typeof refusedRequestStorySchema>> {
  const found = await findRefusedRequest(requestId, input, services);
  const { accountId, keyId, requestedModel = '' } = found;
  const asked = { accountId, keyId, requestedModel, userId: '' };
  return {
    ...{ id: found.requestId, status: 'refused', ...toTold(found) },
    now: await readConditions(asked, input, services),
  };
}

async function findRefusedRequest(
  requestId: string,
  { context }: OperationInput<OperationSchema>,
  { stats }: Services,
): Promise<statsV1.Refusal__Output> {
  try {
    return required((await stats.getRefusal({ requestId }, context.rpc)).refusal);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new AppError('NOT_FOUND', { publicMessage: UNKNOWN });
  }
}

const UNKNOWN =
  'No request of this id is known: it is the X-Request-Id of an answer and begins with req_. Of ' +
  'requests that were refused before a vendor was asked a part is kept, for 24 hours, and none ' +
  'without a valid API key: the log of the gateway has them all.';

export function isNotFound(error: unknown): boolean {
  return error instanceof AppError && error.code === 'NOT_FOUND';
}

function toTold(refusal: statsV1.Refusal__Output) {
  const { accountId, keyId, errorCode, gatewayId, message, at } = refusal;
  return {
    ...{ account_id: accountId, key_id: keyId, error_code: errorCode, message },
    param: refusal.param ?? null,
    requested_model: refusal.requestedModel ?? null,
    ...{ at, gateway_id: gatewayId },
  };
}
