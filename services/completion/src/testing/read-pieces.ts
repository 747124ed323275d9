import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { AnswerPiece } from '../domain/vendor';
import type { VendorStreamReader } from '../vendors/protocol/vendor-protocol';

/** What a client of a stream has when it is over. */
export interface ReadAnswer {
  readonly thoughts: string;
  /** What its vendor signed of them. */
  readonly signed: readonly unknown[];
  readonly text: string;
  /** In their places; `arguments` joined. */
  readonly calls: readonly { id: string; name: string; arguments: string }[];
  readonly finish: readonly string[];
  readonly usage: unknown;
}

/** Every piece of a body that comes in these chunks. */
export function readPieces(
  reader: VendorStreamReader,
  chunks: readonly Buffer[],
): readonly AnswerPiece[] {
  const pieces: AnswerPiece[] = [];
  for (const chunk of chunks) reader.push(chunk, pieces);
  reader.end(pieces);
  return pieces;
}

/**
 * The places at which a cut in two makes something else of the body. They are compared by Node: jest
 * takes milliseconds for the bytes of an answer.
 */
export function findChangingCuts(
  body: Buffer,
  read: (chunks: readonly Buffer[]) => readonly AnswerPiece[],
): readonly number[] {
  const whole = read([body]);
  return Array.from(body.keys()).filter(
    (at) => !isDeepStrictEqual(read([body.subarray(0, at), body.subarray(at)]), whole),
  );
}

/** The body as a connection may bring it: cut anywhere, into a few chunks or many. */
export function inChunks(body: Buffer): fc.Arbitrary<readonly Buffer[]> {
  return fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 40 }).map((sizes) => {
    const chunks: Buffer[] = [];
    let from = 0;
    for (const size of sizes) {
      chunks.push(body.subarray(from, from + size));
      from += size;
    }
    return [...chunks, body.subarray(from)];
  });
}

interface Delta {
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly thinking_blocks?: readonly unknown[];
  readonly tool_calls?: readonly {
    readonly index: number;
    readonly id?: string;
    readonly type?: string;
    readonly function: { readonly name?: string; readonly arguments: string };
  }[];
}

/** Joins the pieces of one choice as clients do. */
export function joinPieces(pieces: readonly AnswerPiece[], choice = 0): ReadAnswer {
  const calls: { id: string; name: string; arguments: string }[] = [];
  const finish: string[] = [];
  const signed: unknown[] = [];
  let thoughts = '';
  let text = '';
  let usage: unknown;
  for (const piece of pieces) {
    if (piece.kind === 'usage') usage = piece.usage;
    if (!('choices' in piece)) continue;
    const [{ index, delta }] = JSON.parse(piece.choices.toString()) as [
      { readonly index: number; readonly delta: Delta },
    ];
    if (index !== choice) continue;
    if (piece.kind === 'finish') finish.push(piece.reason);
    thoughts += delta.reasoning_content ?? '';
    signed.push(...(delta.thinking_blocks ?? []));
    text += delta.content ?? '';
    for (const { index: place, id, function: step } of delta.tool_calls ?? []) {
      const before = calls[place] ?? { id: '', name: '', arguments: '' };
      calls[place] = {
        id: before.id + (id ?? ''),
        name: before.name + (step.name ?? ''),
        arguments: before.arguments + step.arguments,
      };
    }
  }
  return { thoughts, signed, text, calls, finish, usage };
}
