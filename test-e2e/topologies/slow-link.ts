import type { Socket } from 'node:net';
import { startTcpRelay, type TcpPlace, type TcpRelay } from '../support/network/tcp-relay';

/** How bad a network is. */
export interface SlowNetwork {
  /** Each way. */
  readonly delayMs: number;
  /** Of the pieces that are sent, how many are lost and come by the repetition only, 0 to 1. */
  readonly loss: number;
}

/** The least that TCP waits before it sends again what was not acknowledged. */
const REPEATED_AFTER_MS = 200;

/**
 * Listens at one address and passes everything on to another, later: what is lost on the way comes
 * after a repetition, and holds up what follows it, as in TCP.
 */
export function startSlowLink(
  from: TcpPlace,
  to: TcpPlace,
  network: SlowNetwork,
): Promise<TcpRelay> {
  return startTcpRelay(
    from,
    () => to,
    (source, target) => passOn(source, target, network),
  );
}

function passOn(source: Socket, target: Socket, { delayMs, loss }: SlowNetwork): void {
  let lastMs = 0;
  const waiting: (() => void)[] = [];
  const later = (work: () => void) => {
    const repeatedMs = Math.random() < loss ? REPEATED_AFTER_MS : 0;
    // Never before what was sent earlier.
    lastMs = Math.max(lastMs, performance.now() + delayMs + repeatedMs);
    // Timers that are due at once may fire in any order: each passes on what has waited longest.
    waiting.push(work);
    setTimeout(() => waiting.shift()?.(), lastMs - performance.now());
  };
  source.on('data', (chunk: Buffer) => {
    later(() => {
      if (target.writable) target.write(chunk);
    });
  });
  source.on('end', () => later(() => target.end()));
}
