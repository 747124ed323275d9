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
 * body as it came. `onVectors` hears how many stood in so many bytes, also of one that is too long.
 */
export function createWholeReader(
  protocol: VendorProtocol,
  call: VendorCall,
  bytesMax: number,
  onVectors: (bytes: number, vectors: number) => void = () => {},
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
      chunks.push(chunk);
      if (heldBytes <= bytesMax) return;
      if (call.embedding !== undefined) onVectors(heldBytes, countVectors(Buffer.concat(chunks)));
      throw tooLong(call, heldBytes);
    },
    end(pieces) {
      const body = Buffer.concat(chunks);
      if (call.embedding !== undefined) onVectors(body.length, countVectors(body));
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

/** The members that vectors are, by the protocols that have any. */
const VECTOR_MEMBERS = [Buffer.from('"embedding":'), Buffer.from('"values":')];

function countVectors(body: Buffer): number {
  let count = 0;
  for (const member of VECTOR_MEMBERS) {
    let at = body.indexOf(member);
    for (; at >= 0; at = body.indexOf(member, at + member.length)) count += 1;
  }
  return count;
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
