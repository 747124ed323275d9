import { defineConfig, parseConfig, shared } from './index';

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

test('gRPC addresses default to the service name and one port for each', () => {
  expect(shared.address('billing').defaultValue).toBe('dns:///billing:7104');
  expect(shared.listen('billing')).toMatchObject({
    name: 'BILLING_LISTEN',
    defaultValue: '0.0.0.0:7104',
  });
  expect(shared.listen('stats').read('unix:/tmp/a.sock', 'A').ok).toBe(true);
  expect(shared.listen('stats').read('7106', 'A').ok).toBe(false);
});

test('a service link of Kubernetes under one of our names is not a port', () => {
  const config = parseConfig(defineConfig({ httpPort: shared.httpPort }), {
    TOLLGATE_HTTP_PORT: 'tcp://10.0.0.1:80',
  });
  expect(config.httpPort).toBe(8080);
});
