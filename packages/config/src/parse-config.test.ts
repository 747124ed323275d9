import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAmount } from '@tollgate/core';
import {
  amount,
  ConfigError,
  choice,
  defineConfig,
  describeConfig,
  flag,
  integer,
  list,
  parseConfig,
  printConfig,
  secret,
  text,
  url,
  variableNames,
  withVariable,
} from './index';

const schema = defineConfig({
  region: text('REGION', { description: 'Where.' }),
  sweepIntervalMs: integer('SWEEP_INTERVAL_MS', {
    default: 1000,
    min: 100,
    max: 60_000,
    description: 'How often.',
  }),
  budget: amount('BUDGET', { default: '10.00', description: 'Money.' }),
  strict: flag('STRICT', { default: false, description: 'Refuse.' }),
  mode: choice('MODE', { choices: ['open', 'closed'], default: 'closed', description: 'Which.' }),
  hosts: list('HOSTS', { default: [], itemPattern: /^[a-z.]+$/, description: 'Names.' }),
  vendorKey: secret('VENDOR_KEY', {
    optional: true,
    minLength: 8,
    alternatives: ['OTHER_VENDOR_KEY'],
    description: 'Credential.',
  }),
  store: url('STORE', {
    optional: true,
    schemes: ['mongodb'],
    credentials: true,
    severalHosts: true,
    description: 'Store.',
  }),
  vendor: url('VENDOR', { optional: true, description: 'Vendor.' }),
});

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(schema, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('reading the environment', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'config-'));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  test('absent and empty variables take their defaults', () => {
    const config = parseConfig(schema, { REGION: 'eu', MODE: '', BUDGET: '' });
    expect(config).toEqual({
      region: 'eu',
      sweepIntervalMs: 1000,
      budget: parseAmount('10.00'),
      strict: false,
      mode: 'closed',
      hosts: [],
      vendorKey: undefined,
      store: undefined,
      vendor: undefined,
    });
  });

  test('every kind of value is read from its text', () => {
    const config = parseConfig(schema, {
      REGION: 'eu',
      SWEEP_INTERVAL_MS: '60000',
      BUDGET: '0.000000001',
      STRICT: 'yes',
      MODE: 'open',
      HOSTS: ' a.example , b.example,',
      VENDOR_KEY: 'quite-long',
      STORE: 'mongodb://a/b',
    });
    expect(config.sweepIntervalMs).toBe(60_000);
    expect(config.budget).toBe(1n);
    expect(config.strict).toBe(true);
    expect(config.mode).toBe('open');
    expect(config.hosts).toEqual(['a.example', 'b.example']);
  });

  test('every problem is in one message that names the variable and what it accepts', () => {
    expect(
      problemsOf({
        SWEEP_INTERVAL_MS: '99',
        BUDGET: '1.0000000001',
        STRICT: 'perhaps',
        MODE: 'ajar',
        HOSTS: 'a.example,B',
        STORE: 'http://a',
      }),
    ).toEqual([
      'REGION is required: Where.',
      'SWEEP_INTERVAL_MS must be a whole number from 100 to 60000, but is "99"',
      expect.stringContaining('BUDGET must be an amount such as 10.00'),
      'STRICT must be true or false, but is "perhaps"',
      'MODE must be one of open, closed, but is "ajar"',
      'HOSTS must be a comma list of texts, but is "a.example,B"',
      'STORE must be an absolute URL, scheme mongodb',
    ]);
  });

  test.each(['http://a', 'https://user:secret@a.example:8443/v1?x=1#y', 'http://[::1]:7190'])(
    '%s is a URL',
    (VENDOR) => {
      expect(parseConfig(schema, { REGION: 'eu', VENDOR }).vendor).toBe(VENDOR);
    },
  );

  test.each(['http://a b', 'http://:::7190', 'http://a:70000', 'http://', 'a:80'])(
    '%s is no URL',
    (VENDOR) => {
      expect(problemsOf({ REGION: 'eu', VENDOR })).toEqual([
        `VENDOR must be an absolute URL, scheme http or https, but is "${VENDOR}"`,
      ]);
    },
  );

  test('the URL of a store may name several hosts', () => {
    const STORE = 'mongodb://user:secret@a:27017,b:27017/db?replicaSet=rs';
    expect(parseConfig(schema, { REGION: 'eu', STORE }).store).toBe(STORE);
  });

  test('a secret that is refused is not shown', () => {
    const [problem] = problemsOf({ REGION: 'eu', VENDOR_KEY: 'hushhus' });
    expect(problem).toBe('VENDOR_KEY must be at least 8 characters');
  });

  test('a secret may come from a file, whose last newline is not part of it', () => {
    const path = join(directory, 'key');
    writeFileSync(path, 'from a file\n');
    const config = parseConfig(schema, { REGION: 'eu', VENDOR_KEY_FILE: path });
    expect(config.vendorKey).toBe('from a file');
  });

  test('a secret given twice, or in a file that cannot be read, is a problem', () => {
    const both = problemsOf({ REGION: 'eu', VENDOR_KEY: 'x'.repeat(9), VENDOR_KEY_FILE: '/x' });
    expect(both).toEqual(['VENDOR_KEY and VENDOR_KEY_FILE are both set; keep one']);
    const path = join(directory, 'absent');
    expect(problemsOf({ REGION: 'eu', VENDOR_KEY_FILE: path })).toEqual([
      `VENDOR_KEY_FILE names a file that cannot be read (ENOENT): ${path}`,
    ]);
  });

  test('an alternative name is read only when the first name is absent', () => {
    const only = parseConfig(schema, { REGION: 'eu', OTHER_VENDOR_KEY: 'the other one' });
    expect(only.vendorKey).toBe('the other one');
    const both = { REGION: 'eu', VENDOR_KEY: 'the first', OTHER_VENDOR_KEY: 'the other one' };
    expect(parseConfig(schema, both).vendorKey).toBe('the first');
  });

  test('a setting can say which of its variables gave its value', () => {
    const given = defineConfig({ key: withVariable(schema.settings.vendorKey) });
    const key = { value: 'the other one', variable: 'OTHER_VENDOR_KEY' };
    const environment = { OTHER_VENDOR_KEY: 'the other one' };
    expect(parseConfig(given, environment)).toEqual({ key });
    expect(parseConfig(given, {})).toEqual({ key: undefined });
    expect(() => parseConfig(given, { VENDOR_KEY: 'short' })).toThrow('VENDOR_KEY ');
    expect(printConfig(given, environment)).toMatchObject([{ value: '***' }]);
  });

  test('nothing can change the configuration after it was read', () => {
    const config = parseConfig(schema, { REGION: 'eu', HOSTS: 'a' });
    expect(() => Object.assign(config, { region: 'us' })).toThrow(TypeError);
    expect(() => Object.assign(config.hosts, ['b'])).toThrow(TypeError);
  });

  test('a word may stand for the least number', () => {
    const sampled = defineConfig({
      oneIn: integer('ONE_IN', {
        default: 100,
        min: 1,
        max: 1000,
        minWord: 'all',
        description: 'One in so many.',
      }),
    });
    expect(parseConfig(sampled, { ONE_IN: 'all' })).toEqual({ oneIn: 1 });
    expect(parseConfig(sampled, { ONE_IN: '7' })).toEqual({ oneIn: 7 });
    expect(() => parseConfig(sampled, { ONE_IN: 'most' })).toThrow('from 1 to 1000, or all');
  });

  test('what must hold between values is checked once each of them is valid', () => {
    const ordered = defineConfig(
      {
        low: integer('LOW', { default: 1, min: 0, max: 9, description: 'Low.' }),
        high: integer('HIGH', { default: 2, min: 0, max: 9, description: 'High.' }),
      },
      ({ low, high }) => (low > high ? ['LOW must not be above HIGH'] : []),
    );
    expect(parseConfig(ordered, {})).toEqual({ low: 1, high: 2 });
    expect(() => parseConfig(ordered, { LOW: '3' })).toThrow('LOW must not be above HIGH');
  });

  test('one configuration cannot read a variable under two members', () => {
    const key = text('A', { description: 'A.' });
    expect(() => defineConfig({ a: key, b: key })).toThrow('A is declared twice');
  });
});

describe('showing the configuration', () => {
  test('the description says what the parser does', () => {
    expect(describeConfig(schema).slice(0, 2)).toEqual([
      expect.objectContaining({ name: 'REGION', required: true, default: undefined }),
      expect.objectContaining({
        name: 'SWEEP_INTERVAL_MS',
        required: false,
        default: '1000',
        unit: 'milliseconds',
        accepts: 'from 100 to 60000',
      }),
    ]);
  });

  test('secrets are masked, and passwords in URLs too', () => {
    const rows = printConfig(schema, {
      REGION: 'eu',
      OTHER_VENDOR_KEY: 'hush hush hush',
      STORE: 'mongodb://user:hush@host:1/db',
    });
    expect(JSON.stringify(rows)).not.toContain('hush');
    expect(rows).toContainEqual({ name: 'VENDOR_KEY', value: '***', source: 'OTHER_VENDOR_KEY' });
    expect(rows).toContainEqual({
      name: 'STORE',
      value: 'mongodb://***@host:1/db',
      source: 'STORE',
    });
    expect(rows).toContainEqual({ name: 'BUDGET', value: '10.00', source: 'default' });
  });

  test.each(['hu/sh', 'hu@sh', 'h@u/s@h'])(
    'a password in a URL is masked whole without percent-encoding, such as %s',
    (password) => {
      const rows = printConfig(schema, { STORE: `mongodb://user:${password}@host:1/db` });
      expect(rows).toContainEqual({
        name: 'STORE',
        value: 'mongodb://***@host:1/db',
        source: 'STORE',
      });
    },
  );

  test('the file forms of secrets and the alternatives count as known names', () => {
    expect(variableNames(schema)).toEqual(
      expect.arrayContaining(['VENDOR_KEY_FILE', 'OTHER_VENDOR_KEY', 'OTHER_VENDOR_KEY_FILE']),
    );
    expect(variableNames(schema)).not.toContain('REGION_FILE');
  });
});
