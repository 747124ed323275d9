import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../support/temporary-directory';
import { runOnLoadCore } from '../processes';
import { programOf } from '../systems/system';
import type { Load, LoadResult } from './wrk';

/** What programs/client.cjs is told. */
export interface ClientPlan {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent one after the other, from the first again after the last. */
  readonly bodies: readonly string[];
  /** Keys that requests bear in turn, in the place of the headers' one. */
  readonly keys?: readonly string[];
  /** At once: exactly so many in a closed loop, at most so many at a fixed rate. */
  readonly connections: number;
  /** A fixed rate; without it each connection asks as soon as it was answered. */
  readonly perSecond?: number;
  readonly seconds: number;
  readonly requestsMax?: number;
  /** Statuses whose times count. */
  readonly expected: readonly number[];
  /** Cuts every request so long after it was sent. */
  readonly abortAfterMs?: number;
  /** Reads from each event when it left the vendor. */
  readonly lags?: boolean;
}

/** Times in microseconds; null where nothing was measured. */
export interface Spread {
  readonly count: number;
  readonly p50Us: number | null;
  readonly p99Us: number | null;
  readonly p999Us: number | null;
  readonly maxUs: number | null;
}

export interface ClientResult {
  readonly requests: number;
  readonly seconds: number;
  /** Connections that broke with a request on them. */
  readonly failures: number;
  readonly aborted: number;
  /** Still running when patience ended. */
  readonly unfinished: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** From when a request was due, so that a late one counts in full. */
  readonly latency: Spread;
  /** From when a request was due to when the load sent it: the load's own share of the latency. */
  readonly late: Spread;
  readonly firstToken: Spread;
  /** From an event's leaving the vendor to its arrival. */
  readonly lag: Spread;
}

/** What is still on its way when the time is over is waited for so long. */
const GRACE_MS = 10_000;

/** Runs the load client on its core. */
export async function runClient(plan: ClientPlan): Promise<ClientResult> {
  const directory = makeDirectory();
  const file = join(directory.path, 'plan.json');
  writeFileSync(file, JSON.stringify({ ...plan, graceMs: GRACE_MS }));
  const printed = await runOnLoadCore(process.execPath, [programOf('client'), file]).finally(() =>
    directory.remove(),
  );
  const match = /^RESULT (.*)$/m.exec(printed);
  if (match?.[1] === undefined) throw new Error(`the client said nothing that counts:\n${printed}`);
  return JSON.parse(match[1]) as ClientResult;
}

/** As `offer`, for streams: with the time until their first words. */
export async function offerStreams({ body, ...load }: Load): Promise<LoadResult> {
  const result = await runClient({ ...load, bodies: [body], expected: [200] });
  const { failures, latency, requests, seconds, statuses, unfinished } = result;
  if (latency.count < requests || failures + unfinished > 0 || requests === 0) {
    const counts = JSON.stringify({ requests, failures, unfinished, statuses });
    throw new Error(`streams of ${load.url} failed: ${counts}`);
  }
  return {
    requests,
    perSecond: requests / seconds,
    p50Us: latency.p50Us ?? Number.NaN,
    p99Us: latency.p99Us ?? Number.NaN,
    firstTokenP50Us: result.firstToken.p50Us ?? Number.NaN,
  };
}
