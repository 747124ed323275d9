import { parseAmount } from '@tollgate/core';
import { defineConfig, parseConfig, shared } from './index';
import type { Setting } from './setting';

const { listen: _listen, address: _address, rpcSecurity, kafka, redis, ...single } = shared;
const settings: readonly Setting<unknown>[] = Object.values<Setting<unknown>>({
  ...single,
  ...rpcSecurity,
  ...kafka,
  ...redis,
});

test('every default is accepted by its own setting', () => {
  const withDefault = settings.filter((setting) => {
    const printed = setting.defaultValue === undefined ? '' : setting.print(setting.defaultValue);
    return printed !== '';
  });
  expect(withDefault.length).toBeGreaterThan(10);
  for (const setting of withDefault) {
    expect([setting.name, setting.read(setting.print(setting.defaultValue))]).toEqual([
      setting.name,
      { ok: true, value: setting.defaultValue },
    ]);
  }
});

test('every setting is documented by one sentence', () => {
  for (const setting of settings) expect(setting.description).toMatch(/^[A-Z].*\.$/);
});

test('rotatable secrets keep their order and are never printed', () => {
  const bytes = Buffer.alloc(32, 7);
  const config = parseConfig(defineConfig({ keys: shared.sealingKeys }), {
    TOLLGATE_SEALING_KEYS: `new:${bytes.toString('base64')},old:${Buffer.alloc(33).toString('base64')}`,
  });
  expect(config.keys.map(({ id }) => id)).toEqual(['new', 'old']);
  expect(config.keys[0]?.secret).toEqual(bytes);
  expect(shared.sealingKeys.print(config.keys)).toBe('new:***,old:***');
});

test('a sealing key of less than 32 bytes is refused without being shown', () => {
  const short = Buffer.alloc(31, 7).toString('base64');
  const schema = defineConfig({ keys: shared.sealingKeys });
  const read = () => parseConfig(schema, { TOLLGATE_SEALING_KEYS: `a:${short}` });
  expect(read).toThrow('TOLLGATE_SEALING_KEYS must be a comma list of id:base64');
  expect(read).not.toThrow(short);
});

test('a model name of the first channel may hold colons', () => {
  const config = parseConfig(defineConfig({ models: shared.initChannelModels }), {
    TOLLGATE_INIT_CHANNEL_MODELS: 'llama3:8b:0.10:0.2',
  });
  expect(config.models).toEqual([
    {
      name: 'llama3:8b',
      promptPrice: parseAmount('0.10'),
      completionPrice: parseAmount('0.2'),
    },
  ]);
});

test("the common client's variables name the first channel when ours do not", () => {
  const schema = defineConfig({
    credential: shared.initChannelCredential,
    baseUrl: shared.initChannelBaseUrl,
  });
  const environment = { OPENAI_API_KEY: 'a vendor key', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
  expect(parseConfig(schema, environment)).toEqual({
    credential: 'a vendor key',
    baseUrl: 'http://127.0.0.1:1/v1',
  });
});

test('gRPC addresses default to the service name and one port for each', () => {
  expect(shared.address('billing').defaultValue).toBe('dns:///billing:7104');
  expect(shared.listen('billing')).toMatchObject({
    name: 'BILLING_LISTEN',
    defaultValue: '0.0.0.0:7104',
  });
  expect(shared.listen('stats').read('unix:/tmp/a.sock').ok).toBe(true);
  expect(shared.listen('stats').read('7106').ok).toBe(false);
});

test('a service link of Kubernetes under one of our names is not a port', () => {
  const config = parseConfig(defineConfig({ httpPort: shared.httpPort }), {
    TOLLGATE_HTTP_PORT: 'tcp://10.0.0.1:80',
  });
  expect(config.httpPort).toBe(8080);
});
