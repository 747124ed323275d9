import { createEgressClient } from '@tollgate/egress';
import { createRecordingLogger } from '@tollgate/testkit';
import { exampleCall } from '../testing/vendor-call';
import { createChannelConnections } from './channel-connections';

it('tells once of a channel whose address cannot be used, and again when the address changes', async () => {
  const logger = createRecordingLogger();
  const egress = createEgressClient({ allowedPrivateHosts: [], logger });
  const bounds = {
    connectionsPerChannelMax: 1,
    connectTimeoutMs: 1,
    idleTimeoutMs: 1,
    keepAliveMs: 1,
  };
  const connections = createChannelConnections(egress, bounds, logger, {
    onCrowded() {},
    hasPlace: () => true,
  });
  const { channel } = exampleCall().candidate;
  const told = (...addresses: readonly string[]) => {
    const before = logger.lines.length;
    connections.setChannels(addresses.map((baseUrl) => ({ ...channel, baseUrl })));
    return logger.lines.slice(before).filter(({ level }) => level === 'error').length;
  };
  expect(told('http://127.0.0.1/v1')).toBe(1);
  expect(told('http://127.0.0.1/v1')).toBe(0);
  expect(connections.get(channel.id)).toBeUndefined();
  expect(told('http://127.0.0.2/v1')).toBe(1);
  expect(told()).toBe(0);
  expect(told('http://127.0.0.2/v1')).toBe(1);
  expect(told('https://vendor.example/v1')).toBe(0);
  expect(connections.get(channel.id)?.basePath).toBe('/v1');
  await egress.close();
});
