/**
 * What happens on one connection, in order. Scripts are made by pure functions and played by the
 * HTTP part, so that each misbehaviour can be read and tested as data.
 */
export type Step =
  | { readonly do: 'wait'; readonly ms: number }
  /** Lets what was written leave before the next write. */
  | { readonly do: 'tick' }
  | {
      readonly do: 'head';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    }
  /** Sends the head although no body byte is there yet. */
  | { readonly do: 'flush' }
  /** `tokens` is how many tokens of the answer the bytes complete. */
  | { readonly do: 'write'; readonly data: string | Buffer; readonly tokens: number }
  /** Ends the answer, with its whole body when there is one. */
  | { readonly do: 'end'; readonly data: string | Buffer; readonly tokens: number }
  | { readonly do: 'reset' }
  | { readonly do: 'hang' };

/** The steps of one answer. */
export type Script = readonly Step[];

/** Every answer of the simulator carries this. */
export const SIMULATED_HEADERS = { 'x-simulated': 'true' } as const;

/** Identity of one answer, the same in all of its frames. */
export interface AnswerIdentity {
  readonly id: string;
  readonly createdSeconds: number;
}

/** How many tokens leave before a breakage in the middle. */
export function tokensBeforeCut(count: number, cutAfterTokens: number | undefined): number {
  return Math.min(count, cutAfterTokens ?? Math.floor(count / 2));
}

/** Cuts bytes inside their first character of several bytes, or in half when there is none. */
export function splitInsideCharacter(text: string): readonly [Buffer, Buffer] {
  const bytes = Buffer.from(text);
  const lead = bytes.findIndex((byte) => byte >= 0xc0);
  const at = lead === -1 ? bytes.length >> 1 : lead + 1;
  return [bytes.subarray(0, at), bytes.subarray(at)];
}
