import type { Logger } from '@tollgate/core';
import type { AnswerRoom } from '../domain/answer-room';
import {
  KEPT_ANSWER_BYTES_MAX,
  type KeptAnswers,
  NOT_DONE,
  NOTHING_KEPT,
} from '../domain/kept-answers';
import type { UsageSpool } from '../spool/spool';

export interface AnnouncedAnswerDependencies {
  readonly keptAnswers: KeptAnswers;
  readonly answerRoom: AnswerRoom;
  readonly logger: Logger;
  readonly spool: Pick<UsageSpool, 'mayChargeRefused' | 'poisonedBy'>;
}

/** A request whose answer is kept for whoever asks again. */
export interface AnnouncedRequest {
  readonly accountId: string;
  readonly requestId: string;
  /** It goes on to its end when its client leaves. */
  readonly goesOnAlone: boolean;
}

/** How a streamed answer ended. */
export interface StreamedEnd {
  readonly amount: bigint;
  readonly failure?: { readonly code: string } | undefined;
}

/** What becomes of the answer of one announced request. */
export interface AnnouncedAnswer {
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

export function createAnnouncedAnswer(
  { answerRoom, keptAnswers, logger, spool }: AnnouncedAnswerDependencies,
  { accountId, goesOnAlone, requestId }: AnnouncedRequest,
): AnnouncedAnswer {
  const note = (failed: keyof KeptAnswers) => (error: unknown) =>
    logger.warn({ error, requestId }, NOT_DONE[failed]);
  const keep = async (answer: Buffer | undefined) => {
    const isKept = answer !== undefined && answer.length <= KEPT_ANSWER_BYTES_MAX;
    const kept = isKept ? answer : NOTHING_KEPT;
    const release = answerRoom.countComplete(kept.length);
    await keptAnswers.keep(accountId, requestId, kept).catch(note('keep'));
    release();
  };
  const drop = async () => {
    if (spool.mayChargeRefused) return;
    await keptAnswers.drop(accountId, requestId).catch(note('drop'));
  };
  // Only when it is certain: a stream whose record could not be written ends with amount 0, which
  // proves nothing.
  const failedForNothing = (end: StreamedEnd | undefined) => {
    if (end?.failure === undefined || end.amount > 0n) return false;
    return end.failure.code !== 'INTERNAL_ERROR' && spool.poisonedBy === undefined;
  };
  return {
    signalOf: (client) => (goesOnAlone ? new AbortController().signal : client),
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
