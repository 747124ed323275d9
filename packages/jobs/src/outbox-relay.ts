import { type Clock, chunksOf, type IdPage } from '@tollgate/core';
import { createFruitlessPages } from './fruitless-pages';
import { isolate } from './isolate';
import { createRefusedEventKeys } from './refused-event-keys';
import { NOTHING_FOUND } from './repeat';
import { createRetryTimes } from './retry-times';

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
  /**
   * Resolves once all messages were accepted; rejects with SERVICE_UNAVAILABLE to try later, and
   * with EventKeysRefused once all but those of some keys were.
   */
  publish(messages: readonly Message[]): Promise<void>;
  /**
   * The key that the messages of an item have. When some keys are refused, their items stay and the
   * others go on; items of one key stay in their order as far as they follow each other by their
   * ids. Without it a refusal of some keys ends the round like that of all.
   */
  keyOf?(of: Item | Message): string;
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
   * Publishes what waits, once; returns NOTHING_FOUND when nothing did. Rejects when the store or
   * the bus cannot be reached, and at its end when some keys were refused: run it again later, for
   * example by `repeat`. It then goes on behind the last page that it finished.
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
  const quarantine = createRetryTimes(clock, options.quarantineRetryMs);

  const refused = createRefusedEventKeys<Item | Message>(clock, options.keyOf);
  const fruitless = createFruitlessPages();
  /** The last item of the last page that was finished, unless that was the end of the outbox. */
  let after: string | undefined;

  const publish = async (items: readonly Item[]): Promise<void> => {
    const wanted = refused.leaveOut(items);
    if (wanted.length === 0) return;
    const messages = await options.toMessages(wanted);
    for (const chunk of chunksOf(messages, options.publishMax)) {
      // What follows a refused message of its key must not overtake it.
      const some = refused.leaveOut(chunk);
      if (some.length > 0) await options.publish(some).catch(refused.note);
    }
    const published = refused.leaveOut(wanted);
    fruitless.note(published.length);
    await outbox.remove(published);
    options.onPublished?.(refused.leaveOut(messages).length);
    for (const item of published) {
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
      const isFromStart = after === undefined;
      let found = 0;
      let isSomeRefused = false;
      if (isFromStart) refused.forgetPage();
      fruitless.begin();
      let next: Promise<readonly Item[]> | undefined = outbox.list({
        after,
        limit: pageSize,
        messagesMax,
      });
      while (next !== undefined) {
        const page: readonly Item[] = await next;
        found += page.length;
        const last = isLast(page) ? undefined : page.at(-1)?.id;
        const isMore = last !== undefined && !signal.aborted;
        // Read while this page is published; whoever fails meanwhile is heard of first.
        next = isMore ? outbox.list({ after: last, limit: pageSize, messagesMax }) : undefined;
        next?.catch(() => {});
        refused.beginPage(page);
        await publishPage(page);
        after = last;
        const hasRefused = refused.endPage(page);
        isSomeRefused ||= hasRefused;
        fruitless.endPage(hasRefused);
        if (signal.aborted || fruitless.isTooMuch) break;
      }
      if (isSomeRefused && refused.last !== undefined) throw refused.last;
      return found === 0 && isFromStart ? NOTHING_FOUND : undefined;
    },
  };
}
