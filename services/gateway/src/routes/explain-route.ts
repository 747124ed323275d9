import { formatAmount, nano } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { z } from 'zod';
import { actsAsOperator } from '../auth/principal';
import { costMaxHeader } from '../chat/cost-max';
import { openaiFormat } from '../chat/formats/openai/format';
import { toCompletionInput } from '../chat/request';
import { operation } from './operation';
import { amount } from './values';

const DEADLINE_MS = 5000;

/** The choice that a completion would make now; nothing is called and nothing is charged. */
export const explainRoute = operation(
  {
    summary: 'Rank the channels for a completion without calling any',
    body: openaiFormat.document.request,
    parseBody: openaiFormat.parse,
    headers: costMaxHeader,
    data: z.object({
      model: z.string(),
      candidates: z.array(
        z.object({
          rank: z.int(),
          model: z.string(),
          eligible: z.boolean(),
          reasons: z.array(z.string()),
          estimated_amount: amount,
          channel: z
            .object({ id: z.string(), name: z.string() })
            .nullable()
            .meta({ description: 'For operators only.' }),
        }),
      ),
    }),
    idempotency: { ignored: 'It changes nothing.' },
    unaudited: 'It changes nothing.',
  },
  async ({ principal, body, context }, { completions, plans }) => {
    const plan = await plans.termsOf(principal.plan);
    const input = toCompletionInput(body, { principal, plan }, context.exchange);
    const { model, candidates } = await completions.explain(input, {
      ...context.rpc,
      deadlineMs: DEADLINE_MS,
    });
    const operator = actsAsOperator(principal);
    return { data: { model, candidates: candidates.map((each) => toCandidate(each, operator)) } };
  },
);

function toCandidate(candidate: completionV1.RouteCandidate, operator: boolean) {
  const { channelId: id, channelName: name } = candidate;
  return {
    rank: candidate.rank,
    model: candidate.model,
    eligible: candidate.eligible,
    reasons: candidate.reasons,
    estimated_amount: formatAmount(nano(candidate.estimatedAmount)),
    channel: operator && id !== '' ? { id, name } : null,
  };
}
