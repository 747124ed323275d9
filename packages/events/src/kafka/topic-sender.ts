import type { TopicName } from '../topics';

/** A message ready for the wire. */
export interface EncodedMessage {
  readonly key: string;
  readonly value: Buffer;
}

/** How much goes out at once. */
export interface FlushBounds {
  readonly messagesMax: number;
  readonly bytesMax: number;
}

/** The messages of one publish call on one topic, on their way. */
export interface PendingSend {
  /** Settles when the broker has all of them, or one of them failed. */
  readonly promise: Promise<void>;
  /** Takes back what has not left yet. */
  cancel(reason: Error): void;
}

/**
 * Sends the messages of one topic. One request is under way at a time and takes with it whatever
 * has gathered meanwhile: that keeps the order of a key across calls, and batches exactly when
 * there is something to batch.
 */
export interface TopicSender {
  readonly pendingMessages: number;
  push(messages: readonly EncodedMessage[]): PendingSend;
  /** Resolves when nothing is pending. */
  idle(): Promise<void>;
}

interface Entry {
  left: number;
  settled: boolean;
  resolve(): void;
  reject(reason: Error): void;
}

interface QueuedMessage {
  readonly message: EncodedMessage;
  readonly entry: Entry;
}

/** Creates a sender that hands its batches to `send`, which resolves when the broker has them. */
export function createTopicSender(
  topic: TopicName,
  bounds: FlushBounds,
  send: (topic: TopicName, messages: readonly EncodedMessage[]) => Promise<void>,
): TopicSender {
  let queue: QueuedMessage[] = [];
  let flying: readonly QueuedMessage[] = [];
  let running: Promise<void> | undefined;

  const fail = (entry: Entry, reason: Error) => {
    if (entry.settled) return;
    entry.settled = true;
    // A message behind a failed one in its own call must not overtake it.
    queue = queue.filter((queued) => queued.entry !== entry);
    entry.reject(reason);
  };

  async function flushOnce(): Promise<void> {
    const taken = queue.splice(0, fittingCount(queue, bounds));
    flying = taken;
    const messages = taken.map(({ message }) => message);
    const failure = await send(topic, messages).then(() => undefined, toError);
    flying = [];
    for (const { entry } of taken) {
      if (failure !== undefined) fail(entry, failure);
      else if (--entry.left === 0 && !entry.settled) {
        entry.settled = true;
        entry.resolve();
      }
    }
  }

  async function flushAll(): Promise<void> {
    while (queue.length > 0) await flushOnce();
    running = undefined;
  }

  return {
    get pendingMessages() {
      return queue.length + flying.length;
    },
    push(messages) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const entry: Entry = { left: messages.length, settled: false, resolve, reject };
      for (const message of messages) queue.push({ message, entry });
      running ??= flushAll();
      return { promise, cancel: (reason) => fail(entry, reason) };
    },
    async idle() {
      await running;
    },
  };
}

/** How many messages from the front fit the limits; one always does. */
function fittingCount(queue: readonly QueuedMessage[], bounds: FlushBounds): number {
  let bytes = 0;
  let count = 0;
  for (const { message } of queue) {
    bytes += message.value.length + message.key.length;
    if (count > 0 && (count === bounds.messagesMax || bytes > bounds.bytesMax)) return count;
    count += 1;
  }
  return count;
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
