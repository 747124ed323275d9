import { z } from 'zod';
import { verifySignature } from '../../auth/signed-payload';
import { fromAmount, positiveAmountText } from '../../money/amounts';
import { requireAccountNotErased } from '../accounts/accounts';
import { required } from '../asking/required';
import { publicOperation } from '../operation';
import { displayText, isoTime } from '../payloads/values';
import { CREDIT_RULE } from './credits-and-adjustments';
import { answerEntry, ledgerItemSchema } from './ledger-items';

const CURRENCY = /^[A-Z]{3}$/;

/** Billing opens an account's books at their first use, so identity is asked whether it exists. */
export const topUp = publicOperation(
  {
    summary: 'Credit a payment that the payment system tells of, once for its event',
    params: z.object({
      provider: z.string().describe('A name of TOLLGATE_TOPUP_SECRETS.'),
    }),
    body: z.strictObject({
      type: z.literal('topup.succeeded'),
      timestamp: isoTime.optional(),
      data: z.strictObject({
        account_id: z.string().min(1).max(64),
        amount: positiveAmountText,
        currency: z.string().regex(CURRENCY, 'must be three capital letters.'),
        reference: displayText
          .optional()
          .describe("The payment's name in the other system; stands in the ledger."),
      }),
    }),
    rules: {
      'data.currency': 'must be the currency of the deployment',
      'data.amount': CREDIT_RULE,
    },
    headers: z.object({
      'webhook-id': z
        .string()
        .describe('The id of the event: the same one is credited once, for ever.'),
      'webhook-timestamp': z.string().describe('Unix seconds; 5 minutes old at most.'),
      'webhook-signature': z.string().describe('After Standard Webhooks 1.0.'),
    }),
    verifySignature: ({ params, context }, { signerSecrets, clock }) => {
      const { exchange, bytes } = context;
      const { headers } = exchange.request;
      const request = { signer: String(params?.provider), headers, bytes };
      return verifySignature(signerSecrets, request, clock.now());
    },
    data: ledgerItemSchema.extend({ account_id: z.string() }),
    idempotency: { ignored: 'The id of the event, in webhook-id, makes it safe to repeat.' },
  },
  async ({ params, body, signedId }, { billing, identity }) => {
    const { account_id: accountId, amount, currency, reference = '' } = body.data;
    await requireAccountNotErased({ identity }, accountId);
    const answer = await billing.topUp({
      provider: params.provider,
      accountId,
      currency,
      reference,
      eventId: required(signedId),
      amount: fromAmount(amount).toString(),
    });
    const { data, replayed } = await answerEntry(answer, 'operator', { identity });
    return { data: { account_id: accountId, ...data }, replayed };
  },
);
