import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LOAD_CORE } from './processes';

const run = promisify(execFile);

/** What one measurement offers. */
export interface Load {
  readonly url: string;
  readonly body: string;
  /** Besides the content type. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
}

/** What came back. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly failures: number;
}

const SCRIPT = `
wrk.method = "POST"
function done(summary, latency, requests)
  local failures = summary.errors.connect + summary.errors.read + summary.errors.write
    + summary.errors.status + summary.errors.timeout
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), failures))
end
`;

/** Offers the load with wrk from the other core. Throws when anything but success came back. */
export async function offer(load: Load, directory: string): Promise<LoadResult> {
  const script = join(directory, 'load.lua');
  const headers = { 'content-type': 'application/json', ...load.headers };
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers["${name}"] = "${value}"`,
  );
  const request = [...lines, `wrk.body = [==[${load.body}]==]`].join('\n');
  writeFileSync(script, `${request}\n${SCRIPT}`);
  const { stdout } = await run('taskset', [
    ...['-c', LOAD_CORE, 'wrk', '--threads', '1', '--timeout', '10s'],
    ...['--connections', String(load.connections), '--duration', `${load.seconds}s`],
    ...['--script', script, load.url],
  ]);
  const match = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(stdout);
  if (match === null) throw new Error(`wrk said nothing that counts:\n${stdout}`);
  const [requests = 0, durationUs = 1, p50Us = 0, p99Us = 0, failures = 0] = match
    .slice(1)
    .map(Number);
  if (failures > 0) throw new Error(`${failures} of ${requests} requests failed at ${load.url}`);
  return { requests, perSecond: (requests * 1_000_000) / durationUs, p50Us, p99Us, failures };
}
