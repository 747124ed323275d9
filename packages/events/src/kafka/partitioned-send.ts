import type { Clock } from '@tollgate/core';
import type { TopicName } from '../topics';
import type { EncodedMessage, SendMessages } from './topic-sender';

/** How long a partition that took nothing is left alone; its messages are refused meanwhile. */
const LEFT_ALONE_MS = 1_000;

interface PartitionedSendOptions {
  readonly clock: Clock;
  /** Rejects when a message was not taken; others of the same call may have been. */
  send(topic: TopicName, messages: readonly EncodedMessage[]): Promise<void>;
  /** Undefined while no broker has told it. */
  partitionOf(topic: TopicName, key: string): number | undefined;
}

interface FailingPartition {
  readonly reason: Error;
  /** When it is tried again; for ever while it is being tried. */
  readonly dueMonotonicMs: number;
}

/**
 * Sends messages so that a partition that takes nothing refuses no others. A request that fails is
 * made again for each of its partitions alone, to learn which one it was. Such a partition is
 * left out of requests from then on; when it is due, messages for it are refused all the same but
 * also sent to try it, so that nobody waits for it.
 */
export function createPartitionedSend({ clock, send, partitionOf }: PartitionedSendOptions) {
  const failing = new Map<string, FailingPartition>();
  const trials = new Set<Promise<unknown>>();

  const tryAlone = async (
    name: string,
    topic: TopicName,
    messages: readonly EncodedMessage[],
  ): Promise<Error | undefined> => {
    try {
      await send(topic, messages);
      failing.delete(name);
      return undefined;
    } catch (error) {
      const reason = toError(error);
      failing.set(name, { reason, dueMonotonicMs: clock.monotonicMs() + LEFT_ALONE_MS });
      return reason;
    }
  };

  const tryWhenDue = (name: string, topic: TopicName, messages: readonly EncodedMessage[]) => {
    const found = failing.get(name);
    if (found === undefined || found.dueMonotonicMs > clock.monotonicMs()) return;
    failing.set(name, { ...found, dueMonotonicMs: Number.POSITIVE_INFINITY });
    const trial = tryAlone(name, topic, messages).finally(() => trials.delete(trial));
    trials.add(trial);
  };

  const sendMessages: SendMessages = async (topic, messages) => {
    const nameOf = ({ key }: EncodedMessage) => `${topic}/${partitionOf(topic, key)}`;
    const isFailing = (message: EncodedMessage) => failing.size > 0 && failing.has(nameOf(message));
    const refused = new Map<string, Error>();
    const refuse = (all: readonly EncodedMessage[], reason: Error | undefined) => {
      if (reason === undefined) return;
      for (const { key } of all) refused.set(key, reason);
    };
    for (const [name, some] of Map.groupBy(messages.filter(isFailing), nameOf)) {
      refuse(some, failing.get(name)?.reason);
      tryWhenDue(name, topic, some);
    }
    const wanted = messages.filter((message) => !refused.has(message.key));
    if (wanted.length === 0) return refused;
    try {
      await send(topic, wanted);
    } catch (error) {
      const isPartitioned = wanted.every(({ key }) => partitionOf(topic, key) !== undefined);
      if (isPartitioned) {
        // By the groups that were tried: meanwhile a topic may have got more partitions.
        const groups = [...Map.groupBy(wanted, nameOf)];
        await Promise.all(
          groups.map(async ([name, some]) => refuse(some, await tryAlone(name, topic, some))),
        );
      } else refuse(wanted, toError(error));
    }
    return refused;
  };

  return {
    send: sendMessages,
    /** Resolves when no partition is being tried. */
    async idle() {
      await Promise.all(trials);
    },
  };
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
