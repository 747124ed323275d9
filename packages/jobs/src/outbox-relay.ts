import type { Clock, IdPage } from '@tollgate/core';
import { createQuarantineTimes, isolate } from './isolate';
import { NOTHING_FOUND } from './repeat';

/** Something that was written together with a change and waits to be published. */
export interface RelayedItem {
  readonly id: string;
  /** How many messages it makes; 1 unless given. */
  readonly messageCount?: number;
}

/** Which items are read at once. */
interface RelayPage extends IdPage {
  /** Enough messages for one page: whoever has items of many messages may stop there. */
  readonly messagesMax: number;
}

/** Where items wait. */
export interface Outbox<Item extends RelayedItem> {
  /**
   * In ascending order of their ids, after the given one; those that cannot be read as well. Fewer
   * than `limit` only at the end, or once they have `messagesMax` messages together.
   */
  list(page: RelayPage): Promise<readonly Item[]>;
  /** Removes or marks items that were published. Doing it twice is harmless. */
  remove(items: readonly Item[]): Promise<void>;
}

export interface OutboxRelayOptions<Item extends RelayedItem, Message> {
  readonly outbox: Outbox<Item>;
  /** The messages of the items, in their order. Throws for an item that makes no sense. */
  toMessages(items: readonly Item[]): readonly Message[] | Promise<readonly Message[]>;
  /** Resolves once all messages were accepted; rejects with SERVICE_UNAVAILABLE to try later. */
  publish(messages: readonly Message[]): Promise<void>;
  /** Items that are read at once. */
  readonly pageSize: number;
  /** Messages of them, after which a page is cut; no bound unless given. */
  readonly pageMessagesMax?: number;
  /** Messages that `publish` takes at once. */
  readonly publishMax: number;
  /** Between two tries of an item in quarantine, milliseconds. */
  readonly quarantineRetryMs: number;
  readonly clock: Clock;
  onPublished?(messages: number): void;
  /** An item was refused for itself; called again each time it is refused again. */
  onQuarantined(item: Item, error: unknown): void | Promise<void>;
  /** An item that was in quarantine was published. */
  onReleased?(item: Item): void | Promise<void>;
}

export interface OutboxRelay {
  /**
   * Publishes what waits, once; answers NOTHING_FOUND when nothing did. Rejects when the store or
   * the bus cannot be reached: run it again later, for example by `repeat`.
   */
  run(signal: AbortSignal): Promise<typeof NOTHING_FOUND | undefined>;
}

/**
 * Publishes what waits in documents, at least once: an item is removed only after the bus has all
 * of its messages, so messages must carry an id by which a repetition is recognised. One process
 * should run it at a time, for the order of messages. An item that fails for a reason of its own
 * goes into quarantine and is tried again later; the items behind it are published meanwhile.
 */
export function createOutboxRelay<Item extends RelayedItem, Message>(
  options: OutboxRelayOptions<Item, Message>,
): OutboxRelay {
  const { outbox, pageSize, clock } = options;
  const messagesMax = options.pageMessagesMax ?? Number.POSITIVE_INFINITY;
  const quarantine = createQuarantineTimes(clock, options.quarantineRetryMs);

  const publish = async (items: readonly Item[]): Promise<void> => {
    const messages = await options.toMessages(items);
    for (let start = 0; start < messages.length; start += options.publishMax) {
      await options.publish(messages.slice(start, start + options.publishMax));
    }
    await outbox.remove(items);
    options.onPublished?.(messages.length);
    for (const item of items) {
      if (quarantine.release(item.id)) await options.onReleased?.(item);
    }
  };

  const publishPage = async (page: readonly Item[]): Promise<void> => {
    const due = page.filter(({ id }) => quarantine.isDue(id));
    // What failed before is tried alone, so that it splits no page of others each time.
    const { alone = [], together = [] } = Object.groupBy(due, ({ id }) =>
      quarantine.has(id) ? 'alone' : 'together',
    );
    for (const items of [...alone.map((item) => [item]), together]) {
      if (items.length === 0) continue;
      await isolate(items, publish, async (item, error) => {
        quarantine.add(item.id);
        await options.onQuarantined(item, error);
      });
    }
  };

  const isLast = (page: readonly Item[]): boolean => {
    const messages = page.reduce((sum, { messageCount = 1 }) => sum + messageCount, 0);
    return page.length < pageSize && messages < messagesMax;
  };

  return {
    async run(signal) {
      let found = 0;
      let next: Promise<readonly Item[]> | undefined = outbox.list({
        after: undefined,
        limit: pageSize,
        messagesMax,
      });
      while (next !== undefined) {
        const page: readonly Item[] = await next;
        found += page.length;
        const after = isLast(page) ? undefined : page.at(-1)?.id;
        const isMore = after !== undefined && !signal.aborted;
        // Read while this page is published; whoever fails meanwhile is heard of first.
        next = isMore ? outbox.list({ after, limit: pageSize, messagesMax }) : undefined;
        next?.catch(() => {});
        await publishPage(page);
        if (signal.aborted) break;
      }
      return found === 0 ? NOTHING_FOUND : undefined;
    },
  };
}
