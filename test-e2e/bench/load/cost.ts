import { cpuByProcess, totalCpuSince } from '../processes';
import type { BenchSystem } from '../systems/system';
import { runClient } from './client';
import { untilVendorIsQuiet } from './vendor';

/** What is offered to learn what one request of a kind costs. */
export interface CostLoad {
  readonly bodies: readonly string[];
  readonly keys?: readonly string[];
  readonly connections?: number;
  readonly seconds: number;
  /** Ends the load earlier. */
  readonly requestsMax?: number;
  /** What the requests are answered with; 200 when absent. */
  readonly expected?: number;
}

/** What one request cost. */
export interface Cost {
  /** Of all processes of the system. */
  readonly cpuUs: number;
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

const CONNECTIONS = 16;

/** Throws when a request was answered otherwise than expected. */
export async function measureCost(
  system: BenchSystem,
  vendorUrl: string,
  { bodies, keys, connections = CONNECTIONS, seconds, requestsMax, expected = 200 }: CostLoad,
): Promise<Cost> {
  await untilVendorIsQuiet(vendorUrl);
  const before = cpuByProcess(system);
  const result = await runClient({
    url: system.url,
    headers: system.headers,
    bodies,
    connections,
    seconds,
    ...(keys === undefined ? {} : { keys }),
    ...(requestsMax === undefined ? {} : { requestsMax }),
    expected: [expected],
  });
  const { latency, requests, statuses } = result;
  if (requests === 0 || latency.count < requests) {
    throw new Error(`expected ${expected} alone, came ${JSON.stringify(statuses)}`);
  }
  const cpuUs = totalCpuSince(system, before) / requests;
  return {
    cpuUs,
    perSecond: requests / result.seconds,
    p50Us: latency.p50Us ?? Number.NaN,
    p99Us: latency.p99Us ?? Number.NaN,
  };
}
