import { encodeLease } from './record';
import type { LeaseState } from './state';

/** The file that a segment number names. */
export function segmentName(segment: number): string {
  return `segment-${String(segment).padStart(10, '0')}.spool`;
}

/** The number of a segment file, or undefined for another file. */
export function segmentNumberOf(name: string): number | undefined {
  const match = /^segment-(\d{10})\.spool$/.exec(name);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** The first frames of a segment: its header, and every lease, which must survive older segments. */
export function encodeOpening(header: Buffer, leases: Iterable<LeaseState>): readonly Buffer[] {
  const frames = [header];
  for (const lease of leases) {
    frames.push(encodeLease(lease, lease.highestDurable, lease.closedDurably));
  }
  return frames;
}
