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

/** Why the messages of a key were not taken. */
export type Refused = ReadonlyMap<string, Error>;

/** Resolves when the broker has the messages, all but those that were refused. Never rejects. */
export type SendMessages = (
  topic: TopicName,
  messages: readonly EncodedMessage[],
) => Promise<Refused>;

/** The messages of one publish call on one topic, on their way. */
export interface PendingSend {
  /** Resolves when each of them was taken or refused; rejects when it is cancelled before. */
  readonly promise: Promise<Refused>;
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
  readonly refused: Map<string, Error>;
  resolve(refused: Refused): void;
  reject(reason: Error): void;
}

interface QueuedMessage {
  readonly message: EncodedMessage;
  readonly entry: Entry;
}

/** Creates a sender that hands its batches to `send`. */
export function createTopicSender(
  topic: TopicName,
  bounds: FlushBounds,
  send: SendMessages,
): TopicSender {
  let queue: QueuedMessage[] = [];
  let flying: readonly QueuedMessage[] = [];
  let running: Promise<void> | undefined;

  const settleOne = (entry: Entry) => {
    entry.left -= 1;
    if (entry.left > 0 || entry.settled) return;
    entry.settled = true;
    entry.resolve(entry.refused);
  };

  async function flushOnce(): Promise<void> {
    const taken = queue.splice(0, fittingCount(queue, bounds));
    flying = taken;
    const refused = await send(
      topic,
      taken.map(({ message }) => message),
    );
    flying = [];
    for (const { message, entry } of taken) {
      const reason = refused.get(message.key);
      if (reason !== undefined) entry.refused.set(message.key, reason);
    }
    // A message behind a refused one of its key and its own call must not overtake it.
    const isBehind = ({ message, entry }: QueuedMessage) => entry.refused.has(message.key);
    const behind = queue.filter(isBehind);
    if (behind.length > 0) queue = queue.filter((queued) => !isBehind(queued));
    for (const { entry } of [...taken, ...behind]) settleOne(entry);
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
      const { promise, resolve, reject } = Promise.withResolvers<Refused>();
      const left = messages.length;
      const entry: Entry = { left, settled: false, refused: new Map(), resolve, reject };
      for (const message of messages) queue.push({ message, entry });
      running ??= flushAll();
      return {
        promise,
        cancel(reason) {
          if (entry.settled) return;
          entry.settled = true;
          queue = queue.filter((queued) => queued.entry !== entry);
          entry.reject(reason);
        },
      };
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
