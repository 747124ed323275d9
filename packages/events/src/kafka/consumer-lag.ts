import type { Batch } from 'kafkajs';
import type { EventBusObserver } from '../event-bus';
import type { TopicName } from '../topics';

/** How far one consumer is behind what was published, in the partitions that it reads now. */
export interface ConsumerLag {
  /** `handled` is the offset of the last message of the batch that was handled; undefined for none. */
  note(topic: TopicName, batch: FetchedPart, handled: string | undefined): void;
  /** The group shares its partitions out anew: others may tell of them from now on. */
  clear(): void;
}

type FetchedPart = Pick<Batch, 'partition' | 'highWatermark'> & {
  readonly messages: readonly { readonly offset: string }[];
};

/** Tells the observer the sum over the partitions of a topic, each as its newest fetch had it. */
export function createConsumerLag(group: string, observer: EventBusObserver): ConsumerLag {
  const byTopic = new Map<TopicName, Map<number, number>>();
  return {
    note(topic, { partition, highWatermark, messages }, handled) {
      const first = messages[0]?.offset;
      if (first === undefined) return;
      const next = handled === undefined ? BigInt(first) : BigInt(handled) + 1n;
      const lags = byTopic.get(topic) ?? new Map<number, number>();
      byTopic.set(topic, lags);
      lags.set(partition, Number(BigInt(highWatermark) - next));
      let messagesBehind = 0;
      for (const lag of lags.values()) messagesBehind += lag;
      observer.behind(topic, group, messagesBehind);
    },
    clear() {
      for (const topic of byTopic.keys()) observer.behind(topic, group, 0);
      byTopic.clear();
    },
  };
}
