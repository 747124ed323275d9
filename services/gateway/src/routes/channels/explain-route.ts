import { formatAmount, nano, toIsoTime } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { z } from 'zod';
import { actsAsOperator } from '../../auth/principal';
import { openaiFormat } from '../../chat/formats/openai/format';
import { maxCostHeader } from '../../chat/max-cost';
import {
  type ChatRequest,
  type JudgedPrincipal,
  type PrincipalAndPlan,
  toCompletionInput,
} from '../../chat/request';
import { amount } from '../../money/amounts';
import { type OperationContext, operation, type Services } from '../operation';
import { answerOf } from '../payloads/answer-of';
import { isoTime, named } from '../payloads/values';

const DEADLINE_MS = 5000;

/** A model at a channel, as the answering instance saw it; null before it was measured. */
const figuresSchema = named('CandidateFigures', {
  priority: z.int(),
  weight: z.int(),
  first_token_ms: z.int().nullable(),
  tokens_per_second: z.int().nullable(),
  expected_ms: z.int().nullable().describe('Of this request.'),
  success_rate: z
    .number()
    .nullable()
    .describe('Of its calls, 0 to 1; a call weighs half as much after a minute.'),
  calls: z.int().describe('Since the instance started.'),
  cools_down_until: isoTime
    .nullable()
    .describe('Until when its vendor wants to be left alone; null when it does not.'),
});

export const routeCandidateSchema = named('RouteCandidate', {
  rank: z.int(),
  model: z.string(),
  eligible: z.boolean(),
  reasons: z.array(z.string()),
  estimated_amount: amount,
  channel: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .describe('For operators only.'),
  figures: figuresSchema.nullable().describe('For operators only.'),
});

/** The choice that a completion would make now; nothing is called and nothing is charged. */
export const explainRoute = operation(
  {
    summary: 'Rank the channels for a completion without calling any',
    body: openaiFormat.document.request,
    parseBody: openaiFormat.parse,
    headers: maxCostHeader,
    data: z.object({
      model: z.string(),
      candidates: z.array(routeCandidateSchema),
    }),
    idempotency: { ignored: 'It changes nothing.' },
    withoutAuditEntry: 'It changes nothing.',
  },
  async ({ principal, body, context }, services) => {
    const plan = await services.plans.planOf(principal.plan);
    const asked = { body, principal, plan };
    return { data: await explain(asked, context, services, actsAsOperator(principal)) };
  },
);

/** Ranks the candidates of a request; who is no operator sees no channel. */
export async function explain(
  { body, principal, plan }: PrincipalAndPlan<JudgedPrincipal> & { readonly body: ChatRequest },
  context: OperationContext,
  { clock, completions }: Pick<Services, 'clock' | 'completions'>,
  operator: boolean,
) {
  const input = toCompletionInput(body, { principal, plan }, context.exchange);
  const call = { deadlineMs: DEADLINE_MS };
  const { model, candidates } = await completions.explain({ input, nameChannels: operator }, call);
  const now = clock.now();
  return { model, candidates: candidates.map((each) => toCandidate(each, operator, now)) };
}

function toCandidate(
  candidate: completionV1.RouteCandidate,
  operator: boolean,
  now: number,
): z.infer<typeof routeCandidateSchema> {
  const { channelId: id, channelName: name, figures } = candidate;
  return {
    rank: candidate.rank,
    model: candidate.model,
    eligible: candidate.eligible,
    reasons: candidate.reasons,
    estimated_amount: formatAmount(nano(candidate.estimatedAmount)),
    channel: operator && id !== '' ? { id, name } : null,
    figures: operator && figures !== undefined ? toFigures(figures, now) : null,
  };
}

function toFigures(figures: completionV1.CandidateFigures, now: number) {
  const { cooldownMs } = figures;
  return answerOf(figuresSchema, figures, {
    cools_down_until: cooldownMs === undefined ? null : toIsoTime(now + cooldownMs),
  });
}
