import { AppError } from '@tollgate/core';
import { VendorFailure } from '../domain/vendor';

/** What one answer holds of the budget. */
export interface HeldBytes {
  /** Sets what the answer holds now. Throws a VendorFailure when the budget is used up. */
  hold(bytes: number): void;
  /** Gives everything back; harmless after the first time. */
  release(): void;
}

/** Bytes of vendor answers that this process holds, over all requests. */
export interface AnswerBudget {
  readonly heldBytes: number;
  open(): HeldBytes;
}

/** Starts empty. Whoever would go over `bytesMax` fails; the others go on. */
export function createAnswerBudget(bytesMax: number): AnswerBudget {
  let heldBytes = 0;
  return {
    get heldBytes() {
      return heldBytes;
    },
    open() {
      let own = 0;
      return {
        hold(bytes) {
          if (bytes > own && heldBytes - own + bytes > bytesMax) throw usedUp();
          heldBytes += bytes - own;
          own = bytes;
        },
        release() {
          heldBytes -= own;
          own = 0;
        },
      };
    },
  };
}

/** Ours to bear, not the vendor's; the same request would meet the same bound at another channel. */
function usedUp(): VendorFailure {
  const error = new AppError('SERVICE_UNAVAILABLE', {
    publicMessage: 'The service holds as many answers as it can. Please try again shortly.',
    internalMessage: 'TOLLGATE_COMPLETION_HELD_BYTES_MAX is used up',
    retryAfterMs: 1000,
  });
  return new VendorFailure(error, 'aborted', false);
}
