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
