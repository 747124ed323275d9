import { AppError, TurnoverMap } from '@tollgate/core';
import { VendorFailure } from './vendor';

/** The part of the room that one answer holds. */
export interface HeldBytes {
  /**
   * Sets what the answer holds now. When the room is used up, the answer that holds most is cut;
   * throws a VendorFailure when that is this one.
   */
  hold(bytes: number): void;
  /** Gives everything back; harmless after the first time. */
  release(): void;
}

/** Memory of an answer: events that wait, and the beginning of an event whose end has not come. */
export interface AnswerMemory {
  readonly waiting: HeldBytes;
  readonly reading: HeldBytes;
}

/** Room for answers in the memory of this process: a bound of bytes over all requests. */
export interface AnswerRoom {
  readonly heldBytes: number;
  /**
   * Counts an answer that is complete and still here, which nothing cuts any more, until the result
   * is called; harmless after the first time.
   */
  countComplete(bytes: number): () => void;
  /** `onCut` ends an answer that holds most when another one needs room. */
  open(onCut: (failure: VendorFailure) => void): HeldBytes;
}

interface HeldAnswer {
  readonly number: number;
  bytes: number;
  readonly onCut: (failure: VendorFailure) => void;
}

/**
 * Starts empty; `setting` names the bound for whoever reads the log. Many small answers do not
 * suffer for a few large ones.
 */
export function createAnswerRoom(bytesMax: number, setting: string): AnswerRoom {
  const answers = new TurnoverMap<number, HeldAnswer>();
  let lastNumber = 0;
  let heldBytes = 0;
  const set = (answer: HeldAnswer, bytes: number) => {
    heldBytes += bytes - answer.bytes;
    answer.bytes = bytes;
    if (bytes > 0) answers.set(answer.number, answer);
    else answers.delete(answer.number);
  };
  return {
    get heldBytes() {
      return heldBytes;
    },
    countComplete(bytes) {
      let left = bytes;
      heldBytes += bytes;
      return () => {
        heldBytes -= left;
        left = 0;
      };
    },
    open(onCut) {
      lastNumber += 1;
      const own: HeldAnswer = { number: lastNumber, bytes: 0, onCut };
      return {
        hold(bytes) {
          if (bytes === own.bytes) return;
          const isMore = bytes > own.bytes;
          set(own, bytes);
          while (isMore && heldBytes > bytesMax) {
            const largest = largestOf(answers.values(), own);
            set(largest, 0);
            if (largest === own) throw usedUp(setting);
            largest.onCut(usedUp(setting));
          }
        },
        release: () => set(own, 0),
      };
    },
  };
}

/** The one that holds most; `own` when several hold as much. */
function largestOf(answers: Iterable<HeldAnswer>, own: HeldAnswer): HeldAnswer {
  let largest = own;
  for (const answer of answers) if (answer.bytes > largest.bytes) largest = answer;
  return largest;
}

/**
 * The bound is ours, so the vendor is not blamed, and another channel would not help. The vendor is
 * paid for the answer that was given up, so the client is not told to repeat the request.
 */
function usedUp(setting: string): VendorFailure {
  const error = new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'The service holds as many answers as it can, and gave this one up.',
    internalMessage: `${setting} is used up`,
    retryable: false,
  });
  return new VendorFailure(error, 'aborted', { retryElsewhere: false });
}
