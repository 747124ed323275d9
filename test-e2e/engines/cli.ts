import { readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { endWithOwner } from '../support/watchdog';
import { CHECK_TOOLS, type CheckTool } from './check-tools';
import { endProcess, type RunningEngine } from './engine-process';
import { ENGINES, type EngineKind } from './engines';

const USAGE = `usage:
  start --out FILE [--only kafka,redis,mongodb,helm,...] [--owner PID]
      start engines, and fetch programs that only checks need; write their addresses and paths to
      FILE; engines end with the owner at the latest
  stop --out FILE
      end what that start began
`;

/** A started engine as the state file holds it; enough to end it and nothing else. */
interface EngineRecord {
  readonly name: string;
  readonly pid: number;
  readonly dataDirectory: string;
}

/** The command line; sets the exit code. */
export async function run(args: readonly string[]): Promise<void> {
  const read = readArguments(args);
  if (read === undefined) {
    process.stderr.write(USAGE);
    process.exitCode = 2;
    return;
  }
  const { action, out, only, owner } = read;
  if (action === 'stop') {
    await stopAll(out);
    return;
  }
  const everything = [...Object.keys(ENGINES), ...Object.keys(CHECK_TOOLS)];
  const names = only?.split(',') ?? everything;
  await startAll(out, names, owner === undefined ? undefined : Number(owner));
}

/** Undefined when they cannot be understood. */
function readArguments(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { out: text, only: text, owner: text },
    });
    const [action, ...more] = positionals;
    const { out, only, owner } = values;
    if (out === undefined || more.length > 0) return undefined;
    return action === 'start' || action === 'stop' ? { action, out, only, owner } : undefined;
  } catch {
    return undefined;
  }
}

async function startAll(
  out: string,
  names: readonly string[],
  owner: number | undefined,
): Promise<void> {
  // What an earlier start left would lose its last trace when its record is overwritten.
  await stopAll(out);
  const records: EngineRecord[] = [];
  const lines: string[] = [];
  // Tools are fetched and built while the engines start: nobody waits for one after the other.
  const tools = Object.entries(CHECK_TOOLS).filter(([name]) => names.includes(name));
  const provided = tools.map(([name, tool]) => provideTool(name, tool));
  for (const name of names.filter((each) => CHECK_TOOLS[each] === undefined)) {
    const kind = ENGINES[name];
    if (kind === undefined) throw new Error(`there is no engine called ${name}`);
    const answer = await startOne(kind);
    if (typeof answer === 'string') {
      report(`${name} not here: ${answer}`);
      lines.push(`${kind.variable}_UNAVAILABLE=${quote(answer)}`);
      continue;
    }
    if (owner !== undefined) endWithOwner(owner, answer.pid, answer.dataDirectory);
    lines.push(`${kind.variable}=${quote(answer.url)}`);
    records.push({ name, pid: answer.pid, dataDirectory: answer.dataDirectory });
    // After each one, so that a start that is cut short leaves nothing that `stop` cannot find.
    await writeFile(stateFile(out), JSON.stringify(records));
  }
  lines.push(...(await Promise.all(provided)));
  await writeFile(out, `${lines.join('\n')}\n`);
}

/** The line that tells tests where the tool is, or why there is none. */
async function provideTool(name: string, tool: CheckTool): Promise<string> {
  try {
    const obstacle = tool.obstacle();
    if (obstacle !== undefined) throw new Error(obstacle);
    return `${tool.variable}=${quote(await tool.provide(report))}`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report(`${name} not here: ${reason}`);
    return `${tool.variable}_UNAVAILABLE=${quote(reason.split('\n')[0] ?? '')}`;
  }
}

/** The running engine, or the reason why there is none: a missing engine is no failed run. */
async function startOne(kind: EngineKind): Promise<RunningEngine | string> {
  const obstacle = kind.obstacle();
  if (obstacle !== undefined) return obstacle;
  try {
    return await kind.start({ report, detached: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message}\n`);
    return message.split('\n')[0] ?? 'it did not start';
  }
}

async function stopAll(out: string): Promise<void> {
  const text = await readFile(stateFile(out), 'utf8').catch(() => '[]');
  for (const { name, pid, dataDirectory } of JSON.parse(text) as EngineRecord[]) {
    if (await isOurs(pid, dataDirectory)) {
      await endProcess(pid, 'SIGTERM');
      report(`${name} stopped`);
    }
    await rm(dataDirectory, { recursive: true, force: true });
  }
  await rm(stateFile(out), { force: true });
  await rm(out, { force: true });
}

/** A process id may have been given to a stranger meanwhile: ours works in its data directory. */
async function isOurs(pid: number, dataDirectory: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return workingDirectory === dataDirectory;
}

function stateFile(out: string): string {
  return `${out}.state.json`;
}

/** For a file that a shell sources. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function report(line: string): void {
  process.stdout.write(`engines: ${line}\n`);
}
