import { z } from 'zod';
import { anthropicFormat } from '../../chat/formats/anthropic/format';
import { fromCountBody } from '../../chat/formats/anthropic/request';
import { countRequestSchema } from '../../chat/formats/anthropic/schema';
import { toCompletionInput } from '../../chat/request';
import { operation } from '../operation';

const DEADLINE_MS = 10_000;

/** The prompt tokens of a message, by our own vocabulary: a vendor's count may differ. */
export const countTokens = operation(
  {
    summary: 'Count the tokens of a message before it is sent',
    body: countRequestSchema,
    parseBody: fromCountBody,
    // Client libraries name the features that they try there.
    query: z.looseObject({}),
    data: z.object({ input_tokens: z.int() }),
    withoutEnvelope: true,
    speaks: anthropicFormat,
    idempotency: { ignored: 'It changes nothing.' },
    withoutAuditEntry: 'It changes nothing.',
  },
  async ({ principal, body, context }, { completions, plans }) => {
    const plan = await plans.planOf(principal.plan);
    const input = toCompletionInput(body, { principal, plan }, context.exchange);
    const { promptTokens } = await completions.countTokens(input, {
      deadlineMs: DEADLINE_MS,
    });
    return { data: { input_tokens: promptTokens } };
  },
);
