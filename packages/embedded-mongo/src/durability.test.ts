import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { makeTemporaryDirectory } from '@tollgate/testkit';
import { createEmbeddedMongo } from './index';
import { compile, connect, requireDb } from './testing/store-under-test';

const PROGRAM = resolve(__dirname, '../dist/main.js');

interface Program {
  readonly process: ChildProcess;
  readonly uri: string;
}

/** Starts the compiled program and waits for the line that says where it listens. */
async function startProgram(dataDirectory: string): Promise<Program> {
  const child = spawn(process.execPath, [PROGRAM, '--port', '0', '--data', dataDirectory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const { listening } = JSON.parse(line) as { readonly listening: string };
  return { process: child, uri: listening.replace('/?', '/test?') };
}

async function stopProgram(program: Program, signal: NodeJS.Signals) {
  const exited = once(program.process, 'exit');
  program.process.kill(signal);
  const [code] = (await exited) as [number | null];
  return code;
}

/** Writes from several callers until the program is gone; answers what was acknowledged. */
async function writeUntilKilled(program: Program, cycle: number) {
  const connection = await connect(program.uri);
  const rows = requireDb(connection).collection<{ _id: string; n: number }>('rows');
  const inserted: string[] = [];
  let counted = 0;
  const caller = async (name: number) => {
    for (let at = 0; ; at += 1) {
      const id = `${cycle}:${name}:${at}`;
      await rows.insertOne({ _id: id, n: at % 10 });
      inserted.push(id);
      await rows.updateOne({ _id: 'counter' }, { $inc: { n: 1 } }, { upsert: true });
      counted += 1;
      if (inserted.length >= 300) program.process.kill('SIGKILL');
    }
  };
  const exited = once(program.process, 'exit');
  const callers = Array.from({ length: 8 }, (_, name) => caller(name).catch(() => undefined));
  await exited;
  await connection.close(true);
  await Promise.all(callers);
  return { inserted, counted };
}

beforeAll(compile, 120_000);

it('keeps every acknowledged write when the process is killed with SIGKILL', async () => {
  const directory = await makeTemporaryDirectory('store');
  const acknowledged = new Set<string>();
  let counted = 0;
  try {
    for (let cycle = 0; cycle < 3; cycle += 1) {
      const program = await startProgram(directory.path);
      const connection = await connect(program.uri);
      const rows = requireDb(connection).collection('rows');
      await rows.createIndex({ n: 1 });
      await connection.close();
      const written = await writeUntilKilled(program, cycle);
      for (const id of written.inserted) acknowledged.add(id);
      counted += written.counted;
    }
    const program = await startProgram(directory.path);
    const connection = await connect(program.uri);
    const rows = requireDb(connection).collection<{ _id: string; n: number }>('rows');
    const found = await rows.find({ _id: { $ne: 'counter' } }).toArray();
    const present = new Set(found.map((row) => row._id));
    expect([...acknowledged].filter((id) => !present.has(id))).toEqual([]);
    expect(acknowledged.size).toBeGreaterThanOrEqual(900);
    const counter = await rows.findOne({ _id: 'counter' });
    expect(counter?.n).toBeGreaterThanOrEqual(counted);
    // The index survived in step with the documents.
    const byIndex = await rows.find({ n: 3 }).toArray();
    const expected = [...found, ...(counter === null ? [] : [counter])].filter(({ n }) => n === 3);
    expect(byIndex.map((row) => row._id).sort()).toEqual(expected.map((row) => row._id).sort());
    await connection.close();
    expect(await stopProgram(program, 'SIGTERM')).toBe(0);
  } finally {
    await directory.remove();
  }
  // Thousands of writes, each of which waits for the disk.
}, 120_000);

it('lets nobody else read its files, in a directory that was there before and in one of its own', async () => {
  const parent = await makeTemporaryDirectory('store');
  const [there, own] = [join(parent.path, 'there'), join(parent.path, 'own')];
  await mkdir(there);
  await chmod(there, 0o755);
  // What an earlier version left behind.
  await writeFile(join(there, 'store.sqlite'), '');
  await chmod(join(there, 'store.sqlite'), 0o644);
  try {
    for (const directory of [there, own]) {
      const store = await createEmbeddedMongo({
        dataPath: join(directory, 'store.sqlite'),
        listen: { socketPath: join(parent.path, 's.sock') },
      });
      const modes = await Promise.all(
        (await readdir(directory)).map(async (name) => {
          const { mode } = await stat(join(directory, name));
          return [name, (mode & 0o777).toString(8)];
        }),
      );
      await store.close();
      expect(modes.sort()).toEqual([
        ['store.sqlite', '600'],
        ['store.sqlite-wal', '600'],
      ]);
    }
    expect((await stat(own)).mode & 0o777).toBe(0o700);
  } finally {
    await parent.remove();
  }
});

it('refuses a data directory that another process has open', async () => {
  const directory = await makeTemporaryDirectory('store');
  const program = await startProgram(directory.path);
  try {
    const second = spawn(process.execPath, [PROGRAM, '--port', '0', '--data', directory.path], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let problem = '';
    second.stderr.on('data', (chunk) => {
      problem += chunk;
    });
    const [code] = (await once(second, 'close')) as [number | null];
    expect(code).toBe(1);
    expect(problem).toContain('is in use by another process');
  } finally {
    expect(await stopProgram(program, 'SIGTERM')).toBe(0);
    await directory.remove();
  }
});

it('explains itself and refuses parameters it does not know', () => {
  const help = execFileSync(process.execPath, [PROGRAM, '--help'], { encoding: 'utf8' });
  expect(help).toContain('--data DIR');
  const run = () =>
    execFileSync(process.execPath, [PROGRAM, '--unheard-of'], { stdio: 'pipe', encoding: 'utf8' });
  expect(run).toThrow('--unheard-of');
});
