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
