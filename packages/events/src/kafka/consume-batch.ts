import { type BackoffPolicy, backoffDelayMs, type Clock } from '@tollgate/core';
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { type HandleContext, handleInBatches } from '../handle-events';
import { passOverEach, type RawMessage, receiveBatch } from '../receive-batch';
import type { TopicName } from '../topics';
import type { ConsumerLag } from './consumer-lag';

export interface ConsumeContext extends HandleContext {
  readonly backoff: BackoffPolicy;
  /** How often the group hears from us while a handler works, milliseconds. */
  readonly heartbeatIntervalMs: number;
  /** Attempts at the events a partition stands at; one map per consumer. */
  readonly attempts: Map<string, number>;
  readonly lag: ConsumerLag;
}

/**
 * Works through what was fetched of one partition: decode, handle, then resolve and commit. When
 * the handler fails the partition pauses and is fetched again from the same place later; the other
 * partitions go on, and nothing is thrown that kafkajs would take for a crash. While the handler
 * works, kafkajs fetches nothing more from this broker, of any partition or topic of the group: a
 * handler with long work for one key rejects with a transient failure, or leaves that to a job.
 */
export async function consumeBatch(
  topic: TopicName,
  payload: EachBatchPayload,
  context: ConsumeContext,
): Promise<void> {
  const { batch, isRunning, isStale } = payload;
  const { partition } = batch;
  context.lag.note(topic, batch, undefined);
  for (let start = 0; start < batch.messages.length; start += context.batchMax) {
    if (!isRunning() || isStale() || context.signal.aborted) return;
    const chunk = batch.messages.slice(start, start + context.batchMax);
    const place = `${topic}/${partition}`;
    const attempt = context.attempts.get(place) ?? 0;
    const { done, hasProgress } = await withHeartbeat(payload, context, async () => {
      const from = { topic, partition };
      const { events, unhandled } = receiveBatch(from, chunk.map(toRaw));
      const handled = await handleInBatches(events, context, attempt);
      // Messages without an event count with those that follow them.
      const next = events[handled.done]?.offset;
      const isDone = ({ offset }: Pick<KafkaMessage, 'offset'>) =>
        next === undefined || isBefore(offset, next);
      await passOverEach(context, from, unhandled.filter(isDone));
      return { ...handled, done: chunk.filter(isDone) };
    });
    if (hasProgress || done.length > 0) context.attempts.delete(place);
    if (done.length > 0) {
      await commit(payload, done);
      context.lag.note(topic, batch, done.at(-1)?.offset);
    }
    if (done.length < chunk.length) {
      pauseForBackoff(topic, payload, context);
      return;
    }
    await payload.heartbeat();
  }
}

/** Offsets count in 64 bits. */
function isBefore(offset: string, other: string): boolean {
  return BigInt(offset) < BigInt(other);
}

async function commit(payload: EachBatchPayload, chunk: readonly KafkaMessage[]): Promise<void> {
  const last = chunk.at(-1);
  if (last === undefined) return;
  const { topic, partition } = payload.batch;
  payload.resolveOffset(last.offset);
  const offset = (BigInt(last.offset) + 1n).toString();
  await payload.commitOffsetsIfNecessary({
    topics: [{ topic, partitions: [{ partition, offset }] }],
  });
}

function pauseForBackoff(
  topic: TopicName,
  payload: EachBatchPayload,
  context: ConsumeContext,
): void {
  if (context.signal.aborted) return;
  const place = `${topic}/${payload.batch.partition}`;
  const attempt = context.attempts.get(place) ?? 0;
  context.attempts.set(place, attempt + 1);
  const resume = payload.pause();
  context.clock.schedule(backoffDelayMs(context.backoff, attempt), () => {
    if (!context.signal.aborted) resume();
  });
}

/**
 * Keeps the membership alive while `work` runs. A failed heartbeat only ends the beating: what is
 * being handled may still be committed while the group gathers anew, and kafkajs meets the same
 * answer right after and joins again.
 */
async function withHeartbeat<T>(
  payload: EachBatchPayload,
  { clock, heartbeatIntervalMs }: { clock: Clock; heartbeatIntervalMs: number },
  work: () => Promise<T>,
): Promise<T> {
  let working = true;
  const beatLater = () =>
    clock.schedule(heartbeatIntervalMs, () => {
      if (!working) return;
      payload.heartbeat().then(
        () => {
          if (working) timer = beatLater();
        },
        () => undefined,
      );
    });
  let timer = beatLater();
  try {
    return await work();
  } finally {
    working = false;
    timer.cancel();
  }
}

function toRaw({ key, value, offset }: KafkaMessage): RawMessage {
  // A null value is a tombstone, which none of our topics has: empty bytes are no JSON either.
  return { key: key?.toString('utf8') ?? '', payload: value ?? Buffer.alloc(0), offset };
}
