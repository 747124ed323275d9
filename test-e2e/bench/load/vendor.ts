import { setTimeout as delay } from 'node:timers/promises';

/** What the vendor of the bench has seen. */
export interface VendorState {
  /** Requests so far. */
  readonly hits: number;
  /** Requests that it is answering. */
  readonly open: number;
  /** Requests so far to each of the vendors that misbehave, and to the good one beside them. */
  readonly hitsOf: Readonly<Record<'good' | 'half' | 'stalling', number>>;
}

/** What the capped vendor (`programs/vendor.cjs` is told it) answers at once, each in a second. */
export const VENDOR_CAP = 20;

const QUIET_MS = 100;
const QUIET_LOOKS_MAX = 50;

export async function readVendor(vendorUrl: string): Promise<VendorState> {
  const answer = await fetch(`${vendorUrl}/hits`);
  return (await answer.json()) as VendorState;
}

/** Waits for what an earlier load left behind in a system; answers the requests so far. */
export async function untilVendorIsQuiet(vendorUrl: string): Promise<number> {
  let before = await readVendor(vendorUrl);
  for (let looks = 0; looks < QUIET_LOOKS_MAX; looks += 1) {
    await delay(QUIET_MS);
    const now = await readVendor(vendorUrl);
    if (now.open === 0 && now.hits === before.hits) return now.hits;
    before = now;
  }
  return before.hits;
}
