import { execFile } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PRODUCT_MAIN, REPOSITORY } from '../support/repository';
import { makeDirectory } from '../support/temporary-directory';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
/** Where the README says the service is; a test has a port of its own. */
const README_BASE_URL = 'http://127.0.0.1:8080';

const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8');

/** The code blocks of a language, in order. */
function blocksOf(language: string): readonly string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...readme.matchAll(pattern)].map((match) => match[1] ?? '');
}

/** The only block of the language that contains the text. */
function blockWith(language: string, text: string): string {
  const found = blocksOf(language).filter((block) => block.includes(text));
  const [only] = found;
  if (found.length !== 1 || only === undefined) {
    throw new Error(`${found.length} blocks of ${language} have ${text}`);
  }
  return only;
}

describe('against a running service', () => {
  let tollgate: RunningTollgate;

  beforeAll(async () => {
    tollgate = await startTollgate();
  });

  afterAll(async () => {
    expect(await tollgate?.stop()).toBe(0);
  });

  /** The text of a block, for the port that this service has. */
  function forThisPort(text: string): string {
    expect(text).toContain(README_BASE_URL);
    return text.replaceAll(README_BASE_URL, tollgate.baseUrl);
  }

  const environment = () => ({ PATH: process.env.PATH, TOLLGATE_API_KEY: tollgate.apiKey });

  test('the curl command of the README answers a completion', async () => {
    const command = forThisPort(blockWith('sh', 'curl '));
    const { stdout } = await run('bash', ['-c', command], {
      env: environment(),
      timeout: TIMEOUT_MS,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant' }, finish_reason: 'stop' }],
    });
  });

  test('the client program of the README prints an answer', async () => {
    const directory = makeDirectory();
    try {
      const program = join(directory.path, 'program.mjs');
      writeFileSync(program, forThisPort(blockWith('js', "from 'openai'")));
      // As a reader has it after npm install: the library beside the program.
      const libraries = join(directory.path, 'node_modules');
      symlinkSync(join(REPOSITORY, 'test-e2e/node_modules'), libraries);
      const { stdout } = await run(process.execPath, [program], {
        cwd: directory.path,
        env: environment(),
        timeout: TIMEOUT_MS,
      });
      expect(stdout).toMatch(/simulated/);
    } finally {
      directory.remove();
    }
  });

  test('the first start prints everything that the README says it prints', async () => {
    const printed = tollgate.process.output();
    expect(printed).toMatch(new RegExp(`API +${tollgate.baseUrl}/v1\\n`));
    expect(printed).toMatch(new RegExp(`Console +${tollgate.baseUrl}/console/\\n`));
    expect(printed).toMatch(/Operator +\S+@\S+\n/);
    expect(printed).toMatch(/Password +\S{12,}\n/);
    expect(printed).toMatch(/API key +tg_live_\S+\n/);
    expect(printed).toMatch(/Vendor +none, the simulator answers\n/);
    // The printed command is complete in itself: it needs no variable.
    const [command = ''] = /^curl (?:.*\\\n)*.*$/m.exec(printed) ?? [];
    const { stdout } = await run('bash', ['-c', command], {
      env: { PATH: process.env.PATH },
      timeout: TIMEOUT_MS,
    });
    expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion' });
  });
});

test('every npm command of the README is a script of the repository', () => {
  const manifest = readFileSync(join(REPOSITORY, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { readonly scripts: Record<string, string> };
  const commands = blocksOf('sh').flatMap((block) => block.match(/^npm .*$/gm) ?? []);
  const names = commands.map((command) => /^npm (?:run )?(\S+)/.exec(command)?.[1] ?? '');
  expect(names).toEqual(['start', 'test']);
  for (const name of names) {
    const [program, file = ''] = scripts[name]?.split(' ') ?? [];
    expect(program).toBe('node');
    expect(existsSync(join(REPOSITORY, file))).toBe(true);
  }
});

/** What `npm start` runs once everything is built, with nothing in its environment. */
async function command(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly exitCode: number; readonly out: string; readonly error: string }> {
  const directory = makeDirectory();
  const options = {
    cwd: directory.path,
    env: { PATH: process.env.PATH, ...environment },
    timeout: TIMEOUT_MS,
  };
  try {
    const { stdout, stderr } = await run(process.execPath, [PRODUCT_MAIN, ...args], options);
    return { exitCode: 0, out: stdout, error: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { exitCode: code, out: stdout, error: stderr };
  } finally {
    // Nothing but a start may leave anything behind.
    expect(existsSync(join(directory.path, '.tollgate'))).toBe(false);
    directory.remove();
  }
}

test('--help names every option of the page that the README leads to', async () => {
  const page = 'services/all-in-one/README.md';
  expect(readme).toContain(`](${page})`);
  const table = readFileSync(join(REPOSITORY, page), 'utf8');
  const documented = [...table.matchAll(/^\| `(--[a-z-]+)`/gm)].map((match) => match[1]);
  expect(documented).toHaveLength(5);
  const { exitCode, out } = await command(['--help']);
  expect(exitCode).toBe(0);
  const offered = [...out.matchAll(/^ +(?:-\w, )?(--[a-z-]+)/gm)].map((match) => match[1]);
  expect(offered.sort()).toEqual(documented.sort());
});

test('--list-targets names every service, one a line', async () => {
  const { exitCode, out } = await command(['--list-targets']);
  expect(exitCode).toBe(0);
  const names = out.split('\n').map((line) => line.split(' ')[0]);
  expect(names).toEqual(
    expect.arrayContaining(['all', 'gateway', 'completion', 'routing', 'billing', 'identity']),
  );
});

test('--validate accepts the default, and names everything that is wrong at once', async () => {
  expect(await command(['--validate'])).toMatchObject({ exitCode: 0 });
  const wrong = await command(['--validate'], {
    TOLLGATE_HTTP_PORT: 'many',
    TOLLGATE_INIT_CREDIT: 'lots',
    TOLLGATE_HTPP_PORT: '8080',
  });
  expect(wrong.exitCode).toBe(1);
  for (const name of ['TOLLGATE_HTTP_PORT', 'TOLLGATE_INIT_CREDIT', 'TOLLGATE_HTPP_PORT']) {
    expect(wrong.error).toContain(name);
  }
});

test('--print-config shows every documented variable, where it comes from, and no secret', async () => {
  const { exitCode, out } = await command(['--print-config'], {
    OPENAI_API_KEY: 'planted-credential',
    OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
  });
  expect(exitCode).toBe(0);
  expect(out).not.toContain('planted-credential');
  const rows = out.trimEnd().split('\n');
  // The variables that the README names for a real vendor are the first channel's.
  expect(rows).toContain('TOLLGATE_INIT_CHANNEL_CREDENTIAL=***  # OPENAI_API_KEY');
  const base = 'TOLLGATE_INIT_CHANNEL_BASE_URL=http://127.0.0.1:1/v1  # OPENAI_BASE_URL';
  expect(rows).toContain(base);
  const reference = readFileSync(join(REPOSITORY, 'docs/reference/configuration.md'), 'utf8');
  const documented = [...reference.matchAll(/^\| `([A-Z0-9_]+)`/gm)].map((match) => match[1]);
  expect(documented.length).toBeGreaterThan(150);
  expect(rows.map((row) => row.split('=')[0]).sort()).toEqual(documented.sort());
});
