import fc from 'fast-check';
import type { VendorFrame } from '../domain/vendor';
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

/** Every frame of a body that comes in these pieces. */
export function readFrames(
  reader: VendorStreamReader,
  chunks: readonly Buffer[],
): readonly VendorFrame[] {
  const frames: VendorFrame[] = [];
  for (const chunk of chunks) reader.push(chunk, frames);
  reader.end(frames);
  return frames;
}

/** The body as a connection may bring it: cut anywhere, into a few pieces or many. */
export function inPieces(body: Buffer): fc.Arbitrary<readonly Buffer[]> {
  return fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 40 }).map((sizes) => {
    const pieces: Buffer[] = [];
    let from = 0;
    for (const size of sizes) {
      pieces.push(body.subarray(from, from + size));
      from += size;
    }
    return [...pieces, body.subarray(from)];
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

/** Joins the frames of one choice as clients do. */
export function joinFrames(frames: readonly VendorFrame[], choice = 0): ReadAnswer {
  const calls: { id: string; name: string; arguments: string }[] = [];
  const finish: string[] = [];
  const signed: unknown[] = [];
  let thoughts = '';
  let text = '';
  let usage: unknown;
  for (const frame of frames) {
    if (frame.kind === 'usage') usage = frame.usage;
    if (!('choices' in frame)) continue;
    const [{ index, delta }] = JSON.parse(frame.choices.toString()) as [
      { readonly index: number; readonly delta: Delta },
    ];
    if (index !== choice) continue;
    if (frame.kind === 'finish') finish.push(frame.reason);
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
