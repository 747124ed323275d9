import { toIsoTime } from '@tollgate/core';
import { z } from 'zod';
import type { ActiveRequests } from '../../clients/completion/client';
import { amount, toAmount } from '../../money/amounts';
import type { Services } from '../operation';
import { isoTime, named, textOrNull } from '../payloads/values';

/** Requests that run at this moment. None of them has a usage record, and its story is yet to come. */
export const runningRequestsSchema = named('RunningRequests', {
  count: z.int().describe('Of all, also of those beyond the list.'),
  reserved: amount.describe('By all of them.'),
  items: z
    .array(
      z.object({
        id: z.string(),
        client_request_id: z.string().nullable(),
        key_id: z.string(),
        requested_model: z.string(),
        model: z.string().describe('Asked now, or to be asked first.'),
        channel_id: z.string(),
        attempts: z.int().describe('Calls to vendors until now.'),
        reserved: amount,
        started_at: isoTime,
        running_ms: z.int(),
      }),
    )
    .describe('The oldest first; a hundred at most.'),
  silent: z
    .array(z.string())
    .describe('Instances of completion that did not answer: what runs there is not counted.'),
});

export type RunningRequests = z.output<typeof runningRequestsSchema>;

/** What runs is no reason to wait long for what is known besides. */
export const RUNNING_DEADLINE_MS = 2_000;
const ITEMS_MAX = 100;

/** Asks every instance of completion for what runs there for an account. */
export async function readRunningRequests(
  accountId: string,
  { clock, completions }: Pick<Services, 'clock' | 'completions'>,
): Promise<RunningRequests> {
  const call = { deadlineMs: RUNNING_DEADLINE_MS };
  const found = await completions.listActive({ accountId, name: '' }, call);
  const now = clock.now();
  return {
    count: found.count,
    reserved: toAmount(String(found.reserved)),
    items: found.requests.slice(0, ITEMS_MAX).map((one) => toRunning(one, now)),
    silent: [...found.silent],
  };
}

type Active = ActiveRequests['requests'][number];

export function toRunning(one: Active, now: number): RunningRequests['items'][number] {
  const startedAtMs = Number(one.startedAtMs);
  return {
    id: one.requestId,
    client_request_id: textOrNull(one.clientRequestId),
    key_id: one.keyId,
    requested_model: one.requestedModel,
    model: one.model,
    channel_id: one.channelId,
    attempts: one.attempts,
    reserved: toAmount(String(one.reserved)),
    started_at: toIsoTime(startedAtMs),
    // The start is of another machine's clock, which may go ahead.
    running_ms: Math.max(0, now - startedAtMs),
  };
}
