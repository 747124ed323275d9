import type { ChannelId } from '@tollgate/core';
import { channelWith, modelNamed } from '../testing/fixtures';
import type { Channel } from './channel';
import { buildRouteTable, isServed } from './route-table';

describe('route table', () => {
  const input = {
    revision: 3n,
    models: [modelNamed('m')],
    currency: 'USD',
    atMs: 1,
    openCredential: () => 'clear',
  };
  const serving = { models: [{ name: 'm', upstreamName: 'u' }] };

  test('only enabled channels whose credential opens are in it', () => {
    const channels = [
      channelWith({ ...serving, id: 'chn_on' as ChannelId }),
      channelWith({ ...serving, id: 'chn_off' as ChannelId, status: 'disabled' }),
      channelWith({ ...serving, id: 'chn_lost' as ChannelId }),
    ];
    const table = buildRouteTable({
      ...input,
      channels,
      openCredential: (one) => (one.id === 'chn_lost' ? undefined : 'clear'),
    });
    expect(table.channels.map((one) => [one.id, one.credential])).toEqual([['chn_on', 'clear']]);
    expect(
      JSON.stringify(table, (_key, value: unknown) => (typeof value === 'bigint' ? '' : value)),
    ).not.toContain('sealed');
  });

  test('a model is recovering while a channel of it that was disabled automatically is probed', () => {
    const recovers = (status: Channel['status']) =>
      buildRouteTable({ ...input, channels: [channelWith({ ...serving, status })] }).models.map(
        ({ recovering }) => recovering,
      );
    expect(recovers('auto_disabled')).toEqual([true]);
    expect([...recovers('disabled'), ...recovers('enabled')]).toEqual([false, false]);
  });

  test('an own channel serves its account alone', () => {
    const own = channelWith({ ...serving, ownerAccountId: 'acc_1' as Channel['ownerAccountId'] });
    const table = buildRouteTable({ ...input, channels: [own] });
    const servedTo = (accountId: string) => isServed(table, 'm', { accountId, groups: ['gold'] });
    expect([servedTo('acc_1'), servedTo('acc_2'), servedTo('')]).toEqual([true, false, false]);
  });

  test.each([
    ['without groups', [], [], true],
    ['of the default group among others', ['gold', 'default'], [], true],
    ['of a group that was granted', ['gold'], ['gold'], true],
    ['of a group that was not', ['gold'], ['eu'], false],
  ])('a shared channel %s serves accordingly, and operators see it', (...row) => {
    const [, groups, granted, served] = row;
    const table = buildRouteTable({ ...input, channels: [channelWith({ ...serving, groups })] });
    expect(isServed(table, 'm', { accountId: 'acc_1', groups: granted })).toBe(served);
    expect(isServed(table, 'm', { accountId: '', groups: [] })).toBe(true);
  });
});
