import type { RunningProcess } from './running-process';

/** One unlabelled gauge of the process, which must log at level info to tell its admin port. */
export async function readGauge(process: RunningProcess, name: string): Promise<number> {
  const [, port] = await process.waitForOutput(/"adminPort":(\d+)/, 10_000);
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`no ${name} in the metrics`);
  return Number(value);
}
