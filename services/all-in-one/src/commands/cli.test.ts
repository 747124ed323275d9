import { billingConfigSchema, createBillingService } from '@tollgate/billing';
import { parseConfig } from '@tollgate/config';
import { createSystemClock, silentLogger } from '@tollgate/core';
import { createEmbeddedMongo, IN_MEMORY } from '@tollgate/embedded-mongo';
import { createInProcessBus } from '@tollgate/events';
import { createHost, hostConfigSchema } from '@tollgate/lifecycle';
import { makeSocketPath } from '@tollgate/testkit';
import { TARGET_NAMES } from '../start/targets';
import { runCli } from './cli';

async function run(args: readonly string[], environment: Record<string, string> = {}) {
  let out = '';
  let error = '';
  const exitCode = await runCli(args, environment, {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
  });
  return { exitCode, out, error };
}

test('--help names every option and exits 0', async () => {
  const { exitCode, out } = await run(['--help']);
  expect(exitCode).toBe(0);
  for (const option of ['--validate', '--print-config', '--list-targets']) {
    expect(out).toContain(option);
  }
});

test('an unknown option or argument exits non-zero and starts nothing', async () => {
  expect(await run(['--colour'])).toMatchObject({ exitCode: 1 });
  expect(await run(['serve'])).toMatchObject({ exitCode: 1 });
  const { exitCode, error } = await run(['acount', 'list']);
  expect([exitCode, error]).toEqual([
    1,
    'unknown command acount; did you mean account? (--help lists them)\n',
  ]);
});

/** Every command, and what it answers with exit code 1 where nothing is there for it to work on. */
const COMMANDS: readonly (readonly [command: string, args: readonly string[], refusal: RegExp])[] =
  [
    ['validate', [], /LOG_LEVEL/],
    ['spool drain', ['/nonexistent/spool'], /is not a directory/],
    ['spool retire', ['spool-1', '--disk-is-destroyed'], /is not the id of a spool/],
    ['audit', [], /TOLLGATE_API_KEY must hold/],
    ['migrate', [], /MONGODB_URI must name/],
    ['keys import', ['/nonexistent/keys.jsonl'], /holds no data yet/],
    ['backup', ['--to', '/nonexistent/backup'], /holds no data yet/],
    ['restore', ['--from', '/nonexistent/backup'], /holds no finished backup/],
    ['doctor', [], /LOG_LEVEL/],
    ['request', ['req_1'], /TOLLGATE_API_KEY must hold/],
    ['request list', [], /TOLLGATE_API_KEY must hold/],
    ['refusals', [], /TOLLGATE_API_KEY must hold/],
    ['account list', [], /TOLLGATE_API_KEY must hold/],
    ['account show', ['acc_1'], /TOLLGATE_API_KEY must hold/],
    ['account ledger', ['acc_1'], /TOLLGATE_API_KEY must hold/],
    ['account credit', ['acc_1', '--amount', '1.00', '--note', 'n'], /TOLLGATE_API_KEY must/],
    ['account adjust', ['acc_1', '--amount', '1.00', '--reason', 'r'], /TOLLGATE_API_KEY must/],
    ['account suspend', ['acc_1'], /TOLLGATE_API_KEY must hold/],
    ['account resume', ['acc_1'], /TOLLGATE_API_KEY must hold/],
    ['account erase', ['acc_1', '--yes'], /TOLLGATE_API_KEY must hold/],
    ['alerts', [], /TOLLGATE_API_KEY must hold/],
    ['code', ['4Z7K'], /TOLLGATE_API_KEY must hold/],
    ['channel list', [], /TOLLGATE_API_KEY must hold/],
    ['channel disable', ['chn_1'], /TOLLGATE_API_KEY must hold/],
    ['channel enable', ['chn_1'], /TOLLGATE_API_KEY must hold/],
    ['channel show', ['chn_1'], /TOLLGATE_API_KEY must hold/],
    ['user list', [], /TOLLGATE_API_KEY must hold/],
    ['user set-email', ['usr_1', 'a@b.test'], /TOLLGATE_API_KEY must hold/],
    ['user release-email', ['usr_1'], /TOLLGATE_API_KEY must hold/],
    ['user disable', ['usr_1'], /TOLLGATE_API_KEY must hold/],
    ['user enable', ['usr_1'], /TOLLGATE_API_KEY must hold/],
    [
      'user reset-password',
      ['usr_1'],
      /no data directory \/nonexistent\/data: TOLLGATE_DATA_DIR .*TOLLGATE_API_KEY must hold/,
    ],
  ];

describe.each(COMMANDS)('%s', (command, args, refusal) => {
  const wrong = ['validate', 'doctor'].includes(command) ? { LOG_LEVEL: 'loud' } : {};
  const environment = { TOLLGATE_DATA_DIR: '/nonexistent/data', ...wrong };
  const names = command.split(' ');

  test('explains itself, and offers JSON', async () => {
    const { exitCode, out } = await run([...names, '--help']);
    expect(exitCode).toBe(0);
    expect(out).toContain('--json');
  });

  test('refuses an argument more than it takes, and does nothing', async () => {
    const { exitCode, error, out } = await run([...names, ...args, 'Corp'], environment);
    expect([exitCode, out]).toEqual([1, '']);
    expect(error).toMatch(
      /^error: too many arguments for '.*'\. Expected \d arguments? but got \d/,
    );
  });

  test('fails with exit code 1 and the reason, as JSON where that is asked for', async () => {
    const told = await run([...names, ...args], environment);
    expect(told.exitCode).toBe(1);
    expect(`${told.out}${told.error}`).toMatch(refusal);
    const asked = await run([...names, ...args, '--json'], environment);
    expect(asked.exitCode).toBe(1);
    expect(JSON.stringify(JSON.parse(asked.out))).toMatch(refusal);
  });
});

test.each([
  ['backup', "required option '--to"],
  ['request list --limit 0', 'must be a whole number from 1 to 200'],
  ['refusals --since yesterday', 'must be a time'],
  ['spool drain / --timeout-seconds never', 'must be a whole number of seconds'],
  ['--colour', "unknown option '--colour'"],
])('%s fails with exit code 1, and says why as JSON too', async (line, reason) => {
  const args = line.split(' ');
  expect(await run(args)).toMatchObject({ exitCode: 1, out: '' });
  const { exitCode, out } = await run([...args, '--json']);
  expect(exitCode).toBe(1);
  expect((JSON.parse(out) as { readonly error: string }).error).toContain(reason);
});

test('a group of commands alone is told as JSON as well', async () => {
  const { exitCode, out } = await run(['--json', 'account']);
  expect([exitCode, JSON.parse(out)]).toEqual([
    1,
    { error: 'a command is missing (--help lists them)' },
  ]);
});

test('help is a command as well', async () => {
  expect(await run(['help'])).toEqual(await run(['--help']));
  expect((await run(['help', 'account'])).out).toContain('Usage: tollgate account');
});

test('a command looks where a start with the same environment listens, and says what else to try', async () => {
  const environment = { TOLLGATE_HTTP_PORT: '1', TOLLGATE_API_KEY: 'a-key' };
  const { exitCode, out } = await run(['alerts'], environment);
  expect([exitCode, out]).toEqual([
    1,
    'not done: nothing listens at http://127.0.0.1:1: does the product run? --url names another ' +
      'address, and TOLLGATE_HTTP_PORT another port\n',
  ]);
});

test('the table above has every command that the help names', async () => {
  const listOf = async (...names: readonly string[]) => {
    const { out } = await run([...names, '--help']);
    const [, commands = ''] = /^Commands:\n((?: {2}.*\n)*)/m.exec(out) ?? [];
    return [...commands.matchAll(/^ {2}([a-z-]+)/gm)]
      .map(([, name = '']) => [...names, name].join(' '))
      .filter((name) => !name.endsWith('help'));
  };
  const groups = ['spool', 'keys', 'account', 'user', 'channel'];
  const top = (await listOf()).filter((name) => !groups.includes(name));
  const below = await Promise.all([...groups, 'request'].map((group) => listOf(group)));
  const known = COMMANDS.map(([command]) => command);
  expect([...top, ...below.flat()].sort()).toEqual([...known, 'print-config'].sort());
});

test('what is checked, shown and listed comes as JSON too', async () => {
  const read = async (...args: readonly string[]) => {
    const { exitCode, out } = await run(args);
    return { exitCode, found: JSON.parse(out) as Record<string, unknown> };
  };
  const valid = { exitCode: 0, found: { valid: true, problems: [] } };
  expect(await read('validate', '--json')).toEqual(valid);
  expect(await read('--validate', '--json')).toEqual(valid);
  expect((await run(['print-config', '--help'])).out).toContain('--json');
  const { found } = await read('print-config', '--json');
  const setting = { name: 'TOLLGATE_HTTP_PORT', value: '8080', source: 'default' };
  expect(found.settings).toContainEqual(setting);
  expect((await read('--list-targets', '--json')).found.targets).toContain('billing');
});

test('validate and print-config are commands as well as options', async () => {
  expect(await run(['print-config'])).toEqual(await run(['--print-config']));
  expect(await run(['validate'])).toEqual(await run(['--validate']));
});

test('a command that asks the product wants a key, and all that an entry of the ledger needs', async () => {
  const keyless = await run(['account', 'list']);
  expect(keyless.exitCode).toBe(1);
  expect(keyless.out).toContain('TOLLGATE_API_KEY must hold an operator key');
  const unsaid = await run(['account', 'adjust', 'acc_1', '--amount', '-1.50']);
  expect(unsaid.exitCode).toBe(1);
  expect(unsaid.error).toContain('--reason');
  const unsure = await run(['account', 'erase', 'acc_1']);
  expect(unsure.exitCode).toBe(1);
  expect(unsure.error).toContain('--yes');
  expect(JSON.parse((await run(['account', 'list', '--json'])).out)).toHaveProperty('error');
});

test('spool drain refuses a directory that is not there and a time that is none', async () => {
  const absent = await run(['spool', 'drain', '/nonexistent/spool']);
  expect(absent).toMatchObject({ exitCode: 1 });
  expect(absent.error).toContain('/nonexistent/spool is not a directory');
  const never = await run(['spool', 'drain', '/', '--timeout-seconds', 'never']);
  expect(never).toMatchObject({ exitCode: 1 });
  expect(never.error).toContain('whole number of seconds');
});

test('spool retire wants the id of a spool and the word that its disk is destroyed', async () => {
  const id = 'spl_01J00000000000000000000001';
  const unsaid = await run(['spool', 'retire', id]);
  expect(unsaid).toMatchObject({ exitCode: 1 });
  expect(unsaid.error).toContain('--disk-is-destroyed');
  const odd = await run(['spool', 'retire', 'spool-1', '--disk-is-destroyed']);
  expect(odd).toMatchObject({ exitCode: 1 });
  expect(odd.error).toContain('spool-1 is not the id of a spool');
});

test('spool retire says how many leases billing gave up', async () => {
  const directory = await makeSocketPath('retire');
  const shared = { TOLLGATE_SERVICE_SECRET: 'a-service-secret-that-exists-only-in-this-test' };
  const store = await createEmbeddedMongo({
    dataPath: IN_MEMORY,
    listen: { socketPath: directory.path },
  });
  const listen = `${directory.path}.billing`;
  const billing = createBillingService(
    parseConfig(billingConfigSchema, {
      ...shared,
      BILLING_LISTEN: `unix:${listen}`,
      MONGODB_URI: store.uriFor('billing'),
      TOLLGATE_SEALING_KEYS: `k1:${Buffer.alloc(32, 'k').toString('base64')}`,
    }),
    createHost('test', parseConfig(hostConfigSchema, { LOG_LEVEL: 'error' })),
    { eventBus: createInProcessBus({ clock: createSystemClock(), logger: silentLogger }) },
  );
  try {
    await billing.start();
    const id = 'spl_01J00000000000000000000001';
    const environment = { ...shared, BILLING_ADDRESS: `unix:${listen}`, LOG_LEVEL: 'error' };
    const args = ['spool', 'retire', id, '--disk-is-destroyed'];
    expect(await run(args, environment)).toMatchObject({
      exitCode: 0,
      out: `0 leases of ${id} were given up\n`,
    });
  } finally {
    await billing.stop();
    await store.close();
    await directory.remove();
  }
});

test('--list-targets lists all and every service', async () => {
  const { exitCode, out } = await run(['--list-targets']);
  expect(exitCode).toBe(0);
  const names = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ')[0]);
  expect(names).toEqual(['all', ...TARGET_NAMES]);
});

test('the default environment is valid', async () => {
  expect(await run(['--validate'])).toMatchObject({ exitCode: 0, error: '' });
});

test('--validate reports every problem at once, unknown names with a guess', async () => {
  const { exitCode, error } = await run(['--validate'], {
    TARGET: 'everything',
    TOLLGATE_HTPT_PORT: '8080',
    TOLLGATE_ADMIN_PORT: '70000',
    LOG_LEVEL: 'loud',
  });
  expect(exitCode).toBe(1);
  expect(error).toContain('configuration: 4 problems');
  for (const name of ['TARGET', 'TOLLGATE_ADMIN_PORT', 'LOG_LEVEL']) expect(error).toContain(name);
  expect(error).toContain('did you mean TOLLGATE_HTTP_PORT?');
});

test('service links of Kubernetes do not fail --validate', async () => {
  const { exitCode } = await run(['--validate'], {
    TOLLGATE_PORT: 'tcp://10.0.0.1:80',
    TOLLGATE_SERVICE_HOST: '10.0.0.1',
    TOLLGATE_PORT_8080_TCP_ADDR: '10.0.0.1',
  });
  expect(exitCode).toBe(0);
});

test('without TARGET=all every engine that a service needs must be given', async () => {
  const { exitCode, error } = await run(['--validate'], { TARGET: 'routing' });
  expect(exitCode).toBe(1);
  expect(error).toContain('MONGODB_URI is required by routing');
  expect(error).toContain('KAFKA_BROKERS is required by routing');
  expect(error).toContain('TOLLGATE_SEALING_KEYS');
  expect(error.match(/MONGODB_URI/g)).toHaveLength(1);
});

test('a named service with all that it needs is valid', async () => {
  const { error, exitCode } = await run(['--validate'], {
    TARGET: 'routing',
    MONGODB_URI: 'mongodb://127.0.0.1:1/tollgate',
    KAFKA_BROKERS: '127.0.0.1:2',
    TOLLGATE_SERVICE_SECRET: 's'.repeat(32),
    TOLLGATE_SEALING_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  });
  expect({ error, exitCode }).toEqual({ error: '', exitCode: 0 });
});

test('a service that needs no engine runs with none', async () => {
  expect(await run(['--validate'], { TARGET: 'simulator' })).toMatchObject({ exitCode: 0 });
});

test('--print-config shows every setting with its source and no secret', async () => {
  const { exitCode, out } = await run(['--print-config'], {
    TOLLGATE_HTTP_PORT: '8081',
    TOLLGATE_SERVICE_SECRET: 'hush'.repeat(10),
    MONGODB_URI: 'mongodb://root:hush@127.0.0.1:1/tollgate',
  });
  expect(exitCode).toBe(0);
  expect(out).toContain('TOLLGATE_HTTP_PORT=8081  # TOLLGATE_HTTP_PORT\n');
  expect(out).toContain('TOLLGATE_BIND=127.0.0.1  # embedded\n');
  expect(out).toContain('TOLLGATE_SERVICE_SECRET=***  # TOLLGATE_SERVICE_SECRET\n');
  expect(out).not.toContain('hush');
});
