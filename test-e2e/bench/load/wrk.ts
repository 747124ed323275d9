import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../support/temporary-directory';
import { runOnLoadCore } from '../processes';

/** What one measurement offers: so many connections, each with one request after the other. */
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
  /** Until the first words of a stream; absent where nobody looked. */
  readonly firstTokenP50Us?: number | undefined;
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
export async function offer(load: Load): Promise<LoadResult> {
  const directory = makeDirectory();
  try {
    return await runWrk(load, join(directory.path, 'load.lua'));
  } finally {
    directory.remove();
  }
}

async function runWrk(load: Load, script: string): Promise<LoadResult> {
  const headers = { 'content-type': 'application/json', ...load.headers };
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers["${name}"] = "${value}"`,
  );
  const request = [...lines, `wrk.body = [==[${load.body}]==]`].join('\n');
  writeFileSync(script, `${request}\n${SCRIPT}`);
  const printed = await runOnLoadCore('wrk', [
    '--threads',
    '1',
    '--timeout',
    '10s',
    '--connections',
    String(load.connections),
    '--duration',
    `${load.seconds}s`,
    '--script',
    script,
    load.url,
  ]);
  const match = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(printed);
  if (match === null) throw new Error(`wrk said nothing that counts:\n${printed}`);
  const [requests = 0, durationUs = 1, p50Us = 0, p99Us = 0, failures = 0] = match
    .slice(1)
    .map(Number);
  if (failures > 0) throw new Error(`${failures} of ${requests} requests failed at ${load.url}`);
  if (requests === 0) throw new Error(`no request was answered at ${load.url}`);
  return { requests, perSecond: (requests * 1_000_000) / durationUs, p50Us, p99Us };
}
