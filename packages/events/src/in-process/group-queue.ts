import type { BackoffPolicy } from '@tollgate/core';
import type { EventHandler } from '../event-bus';
import { createSuspects, handleUntilDone } from '../handle-events';
import { passOverEach, type RawMessage, type ReceiveContext, receiveBatch } from '../receive-batch';
import type { TopicName } from '../topics';
import type { PublishCall } from './publish-call';

/** One member of a group; the first one present gets the events, the others stand by. */
export interface GroupMember {
  readonly handle: EventHandler;
  readonly batchMax: number;
  readonly stopping: AbortController;
}

/** The messages of one topic that one group still has to handle, in order. */
export interface GroupQueue {
  readonly size: number;
  /** False once every member has left: then nobody will handle what is pushed. */
  readonly hasMembers: boolean;
  push(message: RawMessage, call: PublishCall): void;
  join(member: GroupMember): void;
  /** Resolves after the member's running handler; without members nothing may stay pending. */
  leave(member: GroupMember): Promise<void>;
  /** Resolves when nothing is pending, or no member is left to handle it. */
  drained(): Promise<void>;
}

interface Entry {
  readonly message: RawMessage;
  readonly call: PublishCall;
}

/** Creates an empty queue; its bound is kept by the bus, which must refuse whole batches. */
export function createGroupQueue(
  topic: TopicName,
  context: ReceiveContext,
  backoff: BackoffPolicy,
): GroupQueue {
  const members: GroupMember[] = [];
  const entries: Entry[] = [];
  const delivering = new Map<GroupMember, Promise<void>>();
  let running: Promise<void> | undefined;
  const handOver = createHandOver(topic, context, backoff);

  async function deliverTo(member: GroupMember): Promise<void> {
    const taken = entries.slice(0, member.batchMax);
    const messages = taken.map(({ message }) => message);
    if (!(await handOver(messages, member))) return;
    entries.splice(0, taken.length);
    for (const { call } of taken) call.handledOne();
  }

  async function deliverAll(): Promise<void> {
    // A batch is pushed event by event in one tick: it goes to the handler as one.
    await Promise.resolve();
    for (;;) {
      const [member] = members;
      if (member === undefined || entries.length === 0) return;
      const delivered = deliverTo(member);
      delivering.set(member, delivered);
      await delivered;
      delivering.delete(member);
      // A member that was told to stop must not be asked again, even before it has left.
      if (member.stopping.signal.aborted) removeFrom(members, member);
    }
  }

  function wake(): void {
    running ??= deliverAll().finally(() => {
      running = undefined;
      // An event that came since the loop's last look would otherwise wait for ever.
      if (members.length > 0 && entries.length > 0) wake();
    });
  }

  return {
    get size() {
      return entries.length;
    },
    get hasMembers() {
      return members.length > 0;
    },
    push(message, call) {
      entries.push({ message, call });
      wake();
    },
    join(member) {
      members.push(member);
      wake();
    },
    async leave(member) {
      member.stopping.abort();
      await delivering.get(member);
      removeFrom(members, member);
      if (members.length > 0) return;
      const reason = `group ${context.group} left ${topic}`;
      for (const { call } of entries.splice(0)) call.fail(reason);
    },
    async drained() {
      while (members.length > 0 && entries.length > 0) await running;
    },
  };
}

/** Gives messages to a member until it has handled them; false when it stopped before. */
function createHandOver(topic: TopicName, context: ReceiveContext, backoff: BackoffPolicy) {
  const suspects = createSuspects();
  return async (messages: readonly RawMessage[], member: GroupMember): Promise<boolean> => {
    const place = { topic, partition: 0 };
    const { events, unhandled } = receiveBatch(place, messages);
    const { handle, batchMax, stopping } = member;
    const { signal } = stopping;
    const own = { handle, batchMax, signal, backoff, suspects };
    const isDone = await handleUntilDone(events, { ...context, ...own });
    if (isDone) await passOverEach(context, place, unhandled);
    return isDone;
  };
}

function removeFrom(members: GroupMember[], member: GroupMember): void {
  const index = members.indexOf(member);
  if (index >= 0) members.splice(index, 1);
}
