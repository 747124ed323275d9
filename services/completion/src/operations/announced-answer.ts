import type { Logger } from '@tollgate/core';
import type { AnswerRoom } from '../domain/answer-room';
import type { UsageSpool } from '../spool/spool';
import type { AnswerKeeper } from './answer-resender';

export interface KeepingDependencies {
  readonly answers: AnswerKeeper;
  readonly answerRoom: AnswerRoom;
  readonly logger: Logger;
  readonly spool: Pick<UsageSpool, 'mayChargeRefused' | 'poisonedBy'>;
}

/** A request whose answer is kept for whoever asks again. */
export interface AnnouncedRequest {
  readonly accountId: string;
  readonly requestId: string;
  /** It goes on to its end when its client leaves. */
  readonly finishes: boolean;
}

/** How a streamed answer ended. */
export interface StreamedEnd {
  readonly amount: bigint;
  readonly failure?: { readonly code: string } | undefined;
}

/** Larger answers are given once and not kept. */
export const KEPT_ANSWER_BYTES_MAX = 1024 * 1024;
/** Kept in place of an answer: a repetition is told that there was one. */
const NOT_KEPT = Buffer.alloc(0);

/** What becomes of the answer of one announced request. */
export interface AnswerKeeping {
  /** The signal that ends the request at its vendor, made of that of its client. */
  signalOf(client: AbortSignal): AbortSignal;
  /** Remembers a stream while it is passed on. */
  openCopy(): StreamCopy;
  /** `answer` is encoded; undefined when too much of it came to be kept. */
  keep(answer: Buffer | undefined): Promise<void>;
  /** The answer of a stream that ended so: `encode` is called when it is kept. */
  keepStreamed(end: StreamedEnd | undefined, encode: () => Buffer | undefined): Promise<void>;
  /**
   * Forgets the request, unless it may still be charged: then its key stays taken until the ledger
   * says what became of it, because whoever sends it again would be charged twice.
   */
  drop(): Promise<void>;
}

export function createAnswerKeeping(
  { answerRoom, answers, logger, spool }: KeepingDependencies,
  { accountId, finishes, requestId }: AnnouncedRequest,
): AnswerKeeping {
  // Its client has the answer or an error anyway; a repetition is told that nothing was kept.
  const note = (error: unknown) => logger.warn({ error, requestId }, 'an answer was not kept');
  const keep = async (answer: Buffer | undefined) => {
    const isKept = answer !== undefined && answer.length <= KEPT_ANSWER_BYTES_MAX;
    const kept = isKept ? answer : NOT_KEPT;
    const release = answerRoom.countComplete(kept.length);
    await answers.keepAnswer(accountId, requestId, kept).catch(note);
    release();
  };
  const drop = async () => {
    if (spool.mayChargeRefused) return;
    await answers.dropAnswer(accountId, requestId).catch(note);
  };
  // Only when it is certain: an END without a record tells no charge.
  const failedForNothing = (end: StreamedEnd | undefined) => {
    if (end?.failure === undefined || end.amount > 0n) return false;
    return end.failure.code !== 'INTERNAL_ERROR' && spool.poisonedBy === undefined;
  };
  return {
    signalOf: (client) => (finishes ? new AbortController().signal : client),
    openCopy: () => openStreamCopy(answerRoom),
    keep,
    drop,
    keepStreamed: (end, encode) => (failedForNothing(end) ? drop() : keep(encode())),
  };
}

/** What of a stream was passed on, up to the bound and while there is room for it. */
export interface StreamCopy {
  add(choices: readonly Buffer[]): void;
  /** Gives the room back, and returns all that was passed on; undefined when it was not remembered. */
  close(): readonly Buffer[] | undefined;
}

function openStreamCopy(room: AnswerRoom): StreamCopy {
  let copied: Buffer[] | undefined = [];
  let bytes = 0;
  const forget = () => {
    copied = undefined;
    held.release();
  };
  const held = room.open(forget);
  return {
    add(choices) {
      if (copied === undefined) return;
      for (const each of choices) bytes += each.length;
      copied.push(...choices);
      try {
        if (bytes > KEPT_ANSWER_BYTES_MAX) forget();
        else held.hold(bytes);
      } catch {
        forget();
      }
    },
    close() {
      held.release();
      return copied;
    },
  };
}
