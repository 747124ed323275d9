import { type DescribedChannel, describeChannel, describeTimeouts } from './describe-channel';

const NOW_MS = Date.parse('2026-10-02T10:00:30.000Z');

const health = {
  state: 'healthy',
  breaker: 'closed',
  last_error: null,
  last_error_at: null,
  no_room_at: null,
} as const;
const channel = {
  status: 'enabled',
  disabled_reason: null,
  max_concurrency: 1,
  pace: null,
  health,
} as const;

test.each<readonly [string, Partial<DescribedChannel>, string]>([
  [
    'slow without failures',
    { pace: { in_words: 'Slow: 95 of 100 answers came within 2.4 s in this hour.' } },
    'enabled, healthy: Slow: 95 of 100 answers came within 2.4 s in this hour.',
  ],
  [
    'failing',
    { health: { ...health, state: 'unhealthy', breaker: 'open', last_error: 'It failed.' } },
    'enabled, unhealthy, breaker open: It failed. Statistics do not answer: nothing is known of ' +
      'its pace.',
  ],
  [
    'full',
    { health: { ...health, no_room_at: '2026-10-02T10:00:00.000Z' }, pace: { in_words: 'Few.' } },
    'enabled, healthy: Full: at 2026-10-02T10:00:00.000Z a request found no room, as ' +
      'max_concurrency is 1: raise it if the vendor allows more, or add a channel of the same ' +
      'models. Few.',
  ],
  [
    'full after it had failed',
    {
      health: { ...health, last_error: 'It failed.', no_room_at: '2026-10-02T10:00:00.000Z' },
      pace: { in_words: 'Few.' },
    },
    'enabled, healthy: Full: at 2026-10-02T10:00:00.000Z a request found no room, as ' +
      'max_concurrency is 1: raise it if the vendor allows more, or add a channel of the same ' +
      'models. It failed. Few.',
  ],
  [
    'failing after it was full',
    {
      health: { ...health, last_error: 'It failed.', no_room_at: '2026-10-02T09:58:00.000Z' },
      pace: { in_words: 'Few.' },
    },
    'enabled, healthy: It failed. Full: at 2026-10-02T09:58:00.000Z a request found no room, as ' +
      'max_concurrency is 1: raise it if the vendor allows more, or add a channel of the same ' +
      'models. Few.',
  ],
  [
    'cooling down',
    {
      health: {
        ...health,
        models: [
          { model: 'small', cooldown_until: '2026-10-02T10:00:00.000Z' },
          { model: 'big', cooldown_until: null },
        ],
      },
      pace: { in_words: 'Few.' },
    },
    'enabled, healthy: Cooling down, as its vendor asked: small until 2026-10-02T10:00:00.000Z. ' +
      'Few.',
  ],
  [
    'disabled by a person',
    {
      status: 'disabled',
      switched_off: { at: '2026-10-02T10:00:00.000Z', by: 'ann@acme.test' },
      pace: { in_words: 'Few.' },
    },
    'disabled (2026-10-02T10:00:00.000Z by ann@acme.test), healthy: Few.',
  ],
  [
    'disabled automatically',
    {
      status: 'auto_disabled',
      name: 'the first',
      disabled_reason: 'The vendor refused the credential (401).',
      pace: { in_words: 'Too few requests to tell.' },
    },
    'auto_disabled, healthy: The vendor refused the credential (401). Mend its credential or its ' +
      "account there: it comes back with the next probe, or at once by tollgate channel enable 'the first'. " +
      'Too few requests to tell.',
  ],
])('a channel that is %s is told in a line', (_what, changes, told) => {
  expect(describeChannel({ ...channel, ...changes }, NOW_MS)).toBe(told);
});

test('of time-outs it is told how long, and whether somebody set it', () => {
  const inForce = {
    connect_ms: { ms: 5000, source: 'default' },
    head_ms: { ms: 900, source: 'set' },
    idle_ms: { ms: null, source: 'default' },
  } as const;
  expect(describeTimeouts(inForce)).toEqual({
    connect_ms: '5000 (default)',
    head_ms: '900 (set)',
    idle_ms: 'not known now (default)',
  });
});
