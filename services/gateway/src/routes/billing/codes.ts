import { CODES_PER_BATCH_MAX } from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import { fromProtoName } from '@tollgate/rpc';
import { z } from 'zod';
import { amount, fromAmount, positiveAmountText } from '../../money/amounts';
import { toActorId } from '../asking/actor';
import { readUsers } from '../asking/names';
import { required } from '../asking/required';
import { operation, type Services } from '../operation';
import { answerOf } from '../payloads/answer-of';
import { toIdempotency, toReplay } from '../payloads/idempotency';
import { identifier, listOf, toPageAnswer } from '../payloads/paging';
import { deletedSchema, idParams, isoTime, named, textOrNull, toDeleted } from '../payloads/values';
import { answerEntry, ledgerItemSchema } from './ledger-items';

const CODE_LENGTH_MAX = 64;
const STATUSES = ['unused', 'redeemed', 'revoked', 'expired'] as const;

const codeSchema = named('Code', {
  id: z.string(),
  batch_id: z.string(),
  preview: z.string().describe('The last characters of the code.'),
  amount,
  note: z.string(),
  status: z.enum(STATUSES),
  account_id: z.string().nullable().describe('The account that redeemed it.'),
  ended_at: isoTime.nullable().describe('When it was redeemed or revoked.'),
  expires_at: isoTime.nullable(),
  created_at: isoTime,
  created_by: z
    .string()
    .nullable()
    .describe('The email of who made it, or the id; null where it was not kept.'),
  ended_by: z
    .string()
    .nullable()
    .describe('The email of who redeemed or revoked it, or the id; null where it was not kept.'),
});

export type ShownCode = z.output<typeof codeSchema>;

const batchId = identifier('The batch that the code was made in.');
const preview = z
  .string()
  .regex(/^[A-Za-z0-9]{4}$/, 'must be the last four characters of a code.')
  .optional()
  .describe('The last four characters, in upper or lower case.');

export const listCodes = operation(
  {
    summary: 'List redeemable codes and what became of them, newest first',
    ...listOf(codeSchema, { batch_id: batchId, preview }),
  },
  async ({ query }, services) => {
    const { batch_id: batchId = '', preview = '', ...page } = query;
    const { codes, nextCursor } = await services.billing.listCodes({ batchId, preview, ...page });
    return { data: toPageAnswer(await toCodes(codes, services), nextCursor) };
  },
);

export const createCodes = operation(
  {
    summary: 'Make a batch of codes, each of which one account can redeem for credit',
    body: z.strictObject({
      amount: positiveAmountText.describe('What each code gives.'),
      count: z.int().min(1).max(CODES_PER_BATCH_MAX).default(1),
      note: z.string().max(200).default(''),
      expires_at: isoTime.nullable().default(null),
    }),
    rules: { expires_at: 'must be in the future' },
    data: z.object({
      id: z.string().describe('The id of the batch.'),
      codes: z.array(
        codeSchema.extend({
          code: z.string().optional().describe('What redeems it: told once, absent when replayed.'),
        }),
      ),
    }),
    status: 201,
    idempotency: 'optional',
  },
  async ({ principal, body, context }, services) => {
    const { billing } = services;
    const { count, note, expires_at: expiresAt } = body;
    const made = await billing.createCodes({
      count,
      note,
      expiresAt: expiresAt ?? '',
      scope: principal.accountId,
      amount: fromAmount(body.amount).toString(),
      ...toIdempotency(context.idempotency),
      actorId: toActorId(principal),
    });
    const withoutTexts = await toCodes(made.codes, services);
    const codes = withoutTexts.map((code, index) => {
      const text = made.texts[index];
      return { ...code, ...(text === undefined ? {} : { code: text }) };
    });
    const remedy = `revoke this batch (DELETE /v1/admin/codes/${made.batchId}) and make another with a new key`;
    const data = { id: made.batchId, codes };
    return { data, ...toReplay(made.replayed, 'the codes', remedy) };
  },
);

export const getCode = operation(
  {
    summary: 'Get one code',
    params: idParams,
    data: codeSchema,
  },
  async ({ params }, services) => {
    const { code } = await services.billing.getCode({ id: params.id });
    const [data] = await toCodes([required(code)], services);
    return { data: required(data) };
  },
);

export const revokeCodes = operation(
  {
    summary: 'Revoke a code, or every unused code of a batch',
    params: z.object({ id: z.string().describe('The id of a code or of a batch.') }),
    data: deletedSchema,
  },
  async ({ principal, params }, { billing }) => {
    const actorId = toActorId(principal);
    await billing.revokeCodes({ id: params.id, actorId });
    return { data: toDeleted(params.id) };
  },
);

export const redeemCode = operation(
  {
    summary: 'Redeem a code for credit',
    body: z.strictObject({
      code: z
        .string()
        .min(1)
        .max(CODE_LENGTH_MAX)
        .describe('Capitals, spaces and hyphens do not matter.'),
    }),
    data: ledgerItemSchema,
    idempotency: {
      ignored: 'A code gives its credit once; who has it is answered the same again.',
    },
  },
  async ({ principal, body }, { billing, identity }) => {
    const { accountId } = principal;
    const answer = await billing.redeemCode({
      accountId,
      text: body.code,
      actorId: toActorId(principal),
    });
    return answerEntry(answer, { accountId }, { identity });
  },
);

/** The codes with the emails of who made, redeemed and revoked them. */
async function toCodes(
  codes: readonly billingV1.Code__Output[],
  services: Pick<Services, 'identity'>,
): Promise<z.infer<typeof codeSchema>[]> {
  const ids = codes.flatMap(({ createdBy, endedBy }) => [createdBy, endedBy]);
  const users = await readUsers(ids, services);
  const nameOf = (id: string) => users.get(id)?.email ?? textOrNull(id);
  return codes.map((code) => toCode(code, nameOf));
}

function toCode(
  code: billingV1.Code__Output,
  nameOf: (id: string) => string | null,
): z.infer<typeof codeSchema> {
  return answerOf(codeSchema, code, {
    status: fromProtoName(STATUSES, 'CODE_STATUS', code.status) ?? 'unused',
    created_by: nameOf(code.createdBy),
    ended_by: nameOf(code.endedBy),
  });
}
