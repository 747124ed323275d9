import { channelWith, NEW_CHANNEL, refusalOf } from '../testing/fixtures';
import { DEFAULT_TIMEOUTS, previewCredential } from './channel';
import { applySettings, completeNewSettings } from './channel-settings';

describe('channel settings', () => {
  test.each([
    ['name', { name: ' ' }],
    ['name', { name: 'a\u202eb' }],
    ['weight', { weight: 0 }],
    ['priority', { priority: 1001 }],
    ['priority', { priority: 1.5 }],
    ['groups', { groups: ['Self'] }],
    ['groups', { groups: ['self'] }],
    ['capabilities', { capabilities: ['No Spaces'] }],
    ['status', { status: 'auto_disabled' }],
    ['timeouts.total_ms', { timeouts: { ...DEFAULT_TIMEOUTS, totalMs: -1 } }],
    ['models[1].name', { models: [1, 2].map(() => ({ name: 'm', upstreamName: 'm' })) }],
    ['models[0].upstream_name', { models: [{ name: 'm', upstreamName: 'a b' }] }],
  ] as const)('refuse a bad %s and name it', (param, settings) => {
    const error = refusalOf(() => completeNewSettings({ ...NEW_CHANNEL, ...settings }));
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', param });
  });

  test('a new address without the credential is refused, so that it cannot leak', () => {
    const moved = { baseUrl: 'https://other.example/v1' };
    expect(refusalOf(() => applySettings(channelWith(), moved)).param).toBe('credential');
    expect(applySettings(channelWith(), { ...moved, credential: 'new' }).baseUrl).toBe(
      moved.baseUrl,
    );
    expect(applySettings(channelWith({ credentialPreview: '' }), moved).baseUrl).toBe(
      moved.baseUrl,
    );
  });

  test('what is left out keeps its value', () => {
    const present = channelWith({ weight: 7, groups: ['gold'] });
    expect(applySettings(present, { priority: 3 })).toMatchObject({
      weight: 7,
      groups: ['gold'],
      priority: 3,
    });
  });

  test('a channel that was disabled automatically can be changed, and stays so until it is enabled', () => {
    const present = channelWith({ status: 'auto_disabled' });
    expect(applySettings(present, { weight: 2 })).toMatchObject({ status: 'auto_disabled' });
    expect(applySettings(present, { status: 'enabled' }).status).toBe('enabled');
    expect(refusalOf(() => applySettings(present, { status: 'auto_disabled' })).param).toBe(
      'status',
    );
  });

  test('a preview never shows a short credential', () => {
    expect(previewCredential('short')).toBe('…');
    expect(previewCredential('a-long-enough-credential')).toBe('…tial');
    expect(previewCredential('')).toBe('');
  });
});
