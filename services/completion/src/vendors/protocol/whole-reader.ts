import type { JsonObject } from '@tollgate/core';
import {
  completionTokensMaxOf,
  type VendorCall,
  type VendorCompletion,
  type VendorFailure,
} from '../../domain/vendor';
import { answerTooLong } from '../../domain/vendor-failures';
import type { VendorUsage } from '../../domain/vendor-usage';
import { usualTokensOf } from '../../usage/estimate';
import { unreadable } from './failures';
import { parseObject } from './json';
import type { AnswerProgress, AnswerReader, VendorProtocol } from './vendor-protocol';

/** Bodies of vectors up to this are read at once: it takes a millisecond. */
const VECTORS_AT_ONCE_BYTES_MAX = 1 << 16;

/**
 * Reads a whole answer: it is one piece, at the end of the body. Of many vectors it is the
 * body as it came.
 */
export function createWholeReader(
  protocol: VendorProtocol,
  call: VendorCall,
  bytesMax: number,
): AnswerReader<Buffer | VendorCompletion> {
  const chunks: Buffer[] = [];
  let heldBytes = 0;
  let progress: AnswerProgress = 'none';
  let isPastAsked = false;
  return {
    get heldBytes() {
      return heldBytes;
    },
    get progress() {
      return progress;
    },
    get isPastAsked() {
      return isPastAsked;
    },
    push(chunk) {
      heldBytes += chunk.length;
      if (heldBytes > bytesMax) throw tooLong(call, heldBytes);
      chunks.push(chunk);
    },
    end(pieces) {
      const body = Buffer.concat(chunks);
      if (call.embedding !== undefined && body.length > VECTORS_AT_ONCE_BYTES_MAX) {
        progress = 'over';
        pieces.push(body);
        return;
      }
      const completion = protocol.parseCompletion(body, call);
      // Numbers and broken characters may be longer when they are written anew.
      if (completion.choices.length > bytesMax) throw tooLong(call, heldBytes);
      progress = 'over';
      isPastAsked = completion.isPastAsked ?? false;
      pieces.push(completion);
    },
  };
}

export function tooLong(call: VendorCall, answerBytes: number): VendorFailure {
  const instead = call.embedding === undefined ? 'it as a stream' : 'fewer embeddings at once';
  return answerTooLong(estimateOf(call, answerBytes), instead);
}

/** The vendor's count for an answer that nobody reads to its end. */
function estimateOf(call: VendorCall, answerBytes: number): VendorUsage {
  return {
    prompt: usualTokensOf(call.promptWeight),
    completion: Math.min(usualTokensOf(answerBytes), completionTokensMaxOf(call)),
    cached: 0,
  };
}

/** The object of a whole answer. */
export function readAnswer(body: Buffer, valuesMax?: number): JsonObject {
  const answer = parseObject(body.toString(), valuesMax);
  if (answer === undefined) throw unreadable('the vendor answered no JSON object');
  return answer;
}
