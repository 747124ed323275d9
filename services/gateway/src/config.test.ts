import { parseConfig } from '@tollgate/config';
import { gatewayConfigSchema } from './config';

const SECRET = { TOLLGATE_SERVICE_SECRET: 'a service secret for these tests' };

test('Redis is found by sentinels or as a cluster, never by both', () => {
  const redis = { REDIS_URL: 'rediss://limits', REDIS_CLUSTER: 'redis-0:6379,redis-1:6379' };
  const read = (more: Readonly<Record<string, string>>) =>
    parseConfig(gatewayConfigSchema, { ...SECRET, ...redis, ...more });
  expect(read({}).redisCluster).toEqual(['redis-0:6379', 'redis-1:6379']);
  expect(() => read({ REDIS_SENTINELS: 'sentinel:26379' })).toThrow('REDIS_CLUSTER');
});

test.each(['10.0.0.0/64', '10.0.0', '2001:db8::/129', '10.0.0.0/', ':'])(
  'a proxy that is no address and no block is refused by the name of its setting: %s',
  (entry) => {
    const read = (proxies: string) =>
      parseConfig(gatewayConfigSchema, {
        ...SECRET,
        TOLLGATE_SINGLE_GATEWAY: 'true',
        TOLLGATE_TRUSTED_PROXIES: proxies,
      }).trustedProxies;
    expect(read('10.0.0.0/8,::1')).toEqual(['10.0.0.0/8', '::1']);
    expect(() => read(`10.0.0.0/8,${entry}`)).toThrow('TOLLGATE_TRUSTED_PROXIES');
  },
);

const topUps = (...secrets: readonly (readonly [name: string, letter: string])[]) =>
  parseConfig(gatewayConfigSchema, {
    ...SECRET,
    TOLLGATE_SINGLE_GATEWAY: 'true',
    TOLLGATE_TOPUP_SECRETS: secrets
      .map(([name, letter]) => `${name}:whsec_${Buffer.alloc(24, letter).toString('base64')}`)
      .join(),
  });

test('two payment systems never have one secret, and one of them has two while it rotates', () => {
  expect(() => topUps(['shop', 'a'], ['other', 'a'])).toThrow(
    'TOLLGATE_TOPUP_SECRETS gives shop and other one secret',
  );
  const names = topUps(['shop', 'a'], ['shop', 'b'], ['other', 'c']).topUpSecrets;
  expect(names.map(({ name }) => name)).toEqual(['shop', 'shop', 'other']);
});
