import type { BackoffPolicy, Clock, Logger } from '@tollgate/core';
import { decodeMessage, encodeEvent } from '../codec';
import {
  busUnavailable,
  DEAD_LETTER_TIMEOUT_MS,
  type EventBusObserver,
  type EventToPublish,
  type OutgoingEvent,
} from '../event-bus';
import type { RawMessage } from '../receive-batch';
import type { TopicName } from '../topics';
import { createGroupQueue, type GroupMember, type GroupQueue } from './group-queue';
import { createPublishCall } from './publish-call';

/** The state that every group of the bus shares. */
export interface GroupRegistryOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observer: EventBusObserver;
  readonly backoff: BackoffPolicy;
  readonly pendingMessagesMax: number;
  readonly validate: boolean;
}

/** Who has subscribed to what, and the queues in between. */
export interface GroupRegistry {
  /** Queues the batch for every group; resolves when all have handled it. */
  accept(batch: readonly EventToPublish[], timeoutMs: number): Promise<void>;
  join(group: string, topics: readonly TopicName[], member: GroupMember): void;
  leave(group: string, topics: readonly TopicName[], member: GroupMember): Promise<void>;
  /** Resolves when no group has anything pending. */
  drained(): Promise<void>;
}

/** Creates a registry without groups. */
export function createGroupRegistry(options: GroupRegistryOptions): GroupRegistry {
  const { clock, backoff, pendingMessagesMax, validate } = options;
  const queues = new Map<TopicName, Map<string, GroupQueue>>();
  const offsets = new Map<TopicName, number>();

  const queuesOf = (topic: TopicName): readonly GroupQueue[] => [
    ...(queues.get(topic)?.values() ?? []),
  ];

  const toMessage = (outgoing: EventToPublish): RawMessage => {
    const payload = encodeEvent(outgoing, validate);
    const offset = offsets.get(outgoing.topic) ?? 0;
    offsets.set(outgoing.topic, offset + 1);
    // Once for all groups: reading a message costs more than anything else that is done with it.
    const decoded = decodeMessage(outgoing.topic, payload);
    return { key: outgoing.key, payload, offset: String(offset), decoded };
  };

  async function accept(batch: readonly EventToPublish[], timeoutMs: number): Promise<void> {
    const routed = batch.map((outgoing) => ({
      message: toMessage(outgoing),
      targets: queuesOf(outgoing.topic),
    }));
    // All or nothing: half a batch would come again whole and grow what is already too long.
    if (largestLoad(routed.map(({ targets }) => targets)) > pendingMessagesMax) {
      throw busUnavailable(`a consumer group has ${pendingMessagesMax} messages pending`);
    }
    const expected = routed.reduce((sum, { targets }) => sum + targets.length, 0);
    const call = createPublishCall(expected, clock, timeoutMs);
    for (const { message, targets } of routed) {
      for (const queue of targets) queue.push(message, call);
    }
    await call.promise;
  }

  function queueFor(topic: TopicName, group: string): GroupQueue {
    const groups = queues.get(topic) ?? new Map<string, GroupQueue>();
    const publishDeadLetter = (letter: OutgoingEvent) => accept([letter], DEAD_LETTER_TIMEOUT_MS);
    const context = { ...options, group, publishDeadLetter };
    const queue = groups.get(group) ?? createGroupQueue(topic, context, backoff);
    queues.set(topic, groups.set(group, queue));
    return queue;
  }

  return {
    accept,
    join(group, topics, member) {
      for (const topic of topics) queueFor(topic, group).join(member);
    },
    async leave(group, topics, member) {
      await Promise.all(topics.map((topic) => queueFor(topic, group).leave(member)));
      for (const topic of topics) {
        const groups = queues.get(topic);
        if (groups?.get(group)?.hasMembers === false) groups.delete(group);
      }
    },
    async drained() {
      const all = [...queues.keys()].flatMap(queuesOf);
      await Promise.all(all.map((queue) => queue.drained()));
    },
  };
}

/** How long the longest of the queues would be with one more entry for each time it is named. */
function largestLoad(targets: readonly (readonly GroupQueue[])[]): number {
  const load = new Map<GroupQueue, number>();
  for (const queue of targets.flat()) load.set(queue, (load.get(queue) ?? queue.size) + 1);
  return Math.max(0, ...load.values());
}
