import { type DescribedRequest, describeRequest } from './describe-request';

const reset = 'egress to http://127.0.0.1:9: reset in phase body: other side closed';

const now = {
  account: { name: 'Acme', status: 'active' },
  key: { name: 'ci', status: 'disabled' },
} as const;

test.each<readonly [string, DescribedRequest, string]>([
  [
    'an answer',
    {
      status: 'succeeded',
      error_code: null,
      requested_model: 'auto',
      model: 'small',
      latency_ms: 248,
      prompt_tokens: 40,
      completion_tokens: 9,
      charge: '0.0000169',
      failed_attempts: [],
      now,
    },
    'succeeded: asked for auto, led to small, 248 ms, 49 tokens, charged 0.0000169, ' +
      'account Acme is active now, API key ci is disabled',
  ],
  [
    'an answer to a request with a member that is mistyped, and one that is no word',
    {
      status: 'succeeded',
      error_code: null,
      requested_model: 'small',
      model: 'small',
      latency_ms: 7,
      charge: '0.00032',
      ignored_members: [
        { name: 'max_token', did_you_mean: 'max_tokens' },
        { name: '*', did_you_mean: null },
      ],
    },
    'succeeded: asked for small, 7 ms, 0 tokens, charged 0.00032, asked with max_token and a ' +
      'member that is no plain word, which was ignored: did you mean max_tokens?',
  ],
  [
    'a vendor that limits us, and until when',
    {
      status: 'failed',
      error_code: 'UPSTREAM_ERROR',
      requested_model: 'small',
      started_at: '2026-02-03T10:00:00.000Z',
      failed_attempts: [
        {
          channel_id: 'chn_1',
          reason: 'rate_limited',
          http_status: 429,
          vendor_message: 'Slow down',
          after_ms: 400,
          took_ms: 600,
          retry_after_ms: 20_000,
        },
      ],
    },
    'failed with UPSTREAM_ERROR: asked for small, "first" answered 429 "Slow down", it cools ' +
      'down until 2026-02-03T10:00:21.000Z',
  ],
  [
    'a failure, with what the vendor said last',
    {
      status: 'failed',
      error_code: 'UPSTREAM_ERROR',
      requested_model: 'small',
      model: 'small',
      latency_ms: 78,
      prompt_tokens: 0,
      completion_tokens: 0,
      charge: '0.00',
      now: { account: null, key: null },
      failed_attempts: [
        { channel_id: 'chn_1', reason: 'failure', http_status: 500, vendor_message: 'Oops' },
      ],
    },
    'failed with UPSTREAM_ERROR: asked for small, 78 ms, 0 tokens, charged 0.00, ' +
      '"first" answered 500 "Oops"',
  ],
  [
    'a vendor that is not there',
    {
      status: 'failed',
      error_code: 'UPSTREAM_ERROR',
      requested_model: 'small',
      model: 'small',
      latency_ms: 7,
      charge: '0.00',
      end_reason: 'vendor_error',
      now,
      failed_attempts: [{ channel_id: 'chn_9', reason: 'connect ECONNREFUSED 127.0.0.1:9' }],
    },
    'failed with UPSTREAM_ERROR: asked for small, 7 ms, 0 tokens, charged 0.00, ' +
      '"chn_9" refused the connection, account Acme is active now, API key ci is disabled',
  ],
  [
    'a vendor that broke off in a whole answer',
    {
      status: 'failed',
      error_code: 'UPSTREAM_ERROR',
      requested_model: 'small',
      now: null,
      failed_attempts: [{ channel_id: 'chn_1', reason: reset }],
    },
    'failed with UPSTREAM_ERROR: asked for small, "first": the vendor broke off',
  ],
  [
    'a vendor that closed the connection before it answered',
    {
      status: 'failed',
      error_code: 'UPSTREAM_ERROR',
      requested_model: 'small',
      now: null,
      failed_attempts: [
        {
          channel_id: 'chn_1',
          reason: 'egress to http://127.0.0.1:9: reset in phase sent: read ECONNRESET',
        },
      ],
    },
    'failed with UPSTREAM_ERROR: asked for small, "first": the vendor closed the connection ' +
      'before it answered',
  ],
  [
    'a failure after which its channel was disabled automatically',
    {
      status: 'failed',
      error_code: 'UPSTREAM_ERROR',
      requested_model: 'small',
      failed_attempts: [
        { channel_id: 'chn_1', reason: 'failure', http_status: 401, vendor_message: 'No key.' },
      ],
      now: {
        account: null,
        key: null,
        disabled_channels: [
          {
            channel_id: 'chn_1',
            name: 'first',
            status: 'auto_disabled',
            disabled_at: '2026-02-03T10:00:00.000Z',
            disabled_reason: 'The vendor refused the credential (401).',
          },
          {
            channel_id: 'chn_2',
            name: 'second',
            status: 'auto_disabled',
            disabled_at: null,
            disabled_reason: null,
          },
        ],
      },
    },
    'failed with UPSTREAM_ERROR: asked for small, "first" answered 401 "No key.", channel "first" ' +
      'was disabled automatically at 2026-02-03T10:00:00.000Z: mend its credential or its account at the ' +
      'vendor, and it comes back with the next probe, or at once by tollgate channel enable first',
  ],
  [
    'a failure of a channel that was disabled since',
    {
      status: 'failed',
      error_code: 'UPSTREAM_ERROR',
      requested_model: 'small',
      failed_attempts: [{ channel_id: 'chn_1', reason: 'the vendor broke off' }],
      now: {
        account: null,
        key: null,
        disabled_channels: [
          { name: 'first', status: 'disabled', disabled_at: null, disabled_reason: null },
        ],
      },
    },
    'failed with UPSTREAM_ERROR: asked for small, "first": the vendor broke off',
  ],
  [
    'an answer that cannot be read',
    {
      status: 'failed',
      error_code: 'UPSTREAM_ERROR',
      requested_model: 'small',
      now: null,
      failed_attempts: [
        {
          channel_id: 'chn_1',
          reason: 'the vendor answered 200 with an unexpected content type',
          http_status: 200,
        },
      ],
    },
    'failed with UPSTREAM_ERROR: asked for small, "first": the vendor answered 200 with an ' +
      'unexpected content type',
  ],
  [
    'a stream that broke off, of a key that is gone',
    {
      status: 'failed',
      error_code: 'UPSTREAM_ERROR',
      requested_model: 'small',
      model: 'small',
      latency_ms: 9,
      completion_tokens: 3,
      charge: '0.01',
      end_reason: 'vendor_gone',
      failed_attempts: [],
      now: { account: null, key: null, unknown: [{ about: 'key', reason: 'It was revoked.' }] },
    },
    'failed with UPSTREAM_ERROR: asked for small, the vendor broke off; what was delivered is ' +
      'charged, 9 ms, 3 tokens, charged 0.01, API key: It was revoked',
  ],
  [
    'a stream that its vendor broke off, which is said once',
    {
      status: 'failed',
      error_code: 'UPSTREAM_ERROR',
      requested_model: 'small',
      end_reason: 'vendor_gone',
      now: null,
      failed_attempts: [{ channel_id: 'chn_1', reason: reset }],
    },
    'failed with UPSTREAM_ERROR: asked for small, what was delivered is charged, "first": the ' +
      'vendor broke off',
  ],
  [
    'a stream whose vendor fell silent',
    {
      status: 'failed',
      error_code: 'UPSTREAM_TIMEOUT',
      requested_model: 'small',
      model: 'small',
      latency_ms: 9,
      completion_tokens: 3,
      charge: '0.01',
      end_reason: 'vendor_gone',
      now: { account: null, key: null },
      failed_attempts: [{ channel_id: 'chn_1', reason: 'the vendor fell silent' }],
    },
    'failed with UPSTREAM_TIMEOUT: asked for small, the vendor fell silent; what was delivered ' +
      'is charged, 9 ms, 3 tokens, charged 0.01, "first": the vendor fell silent',
  ],
  [
    'a refusal for want of money',
    {
      status: 'refused',
      error_code: 'INSUFFICIENT_BALANCE',
      requested_model: 'small',
      message: 'What is left of the balance is held by other requests.',
      now: { ...now, balance: { balance: '4.93', reserved: '4.90', available: '0.03' } },
    },
    'refused with INSUFFICIENT_BALANCE: asked for small, What is left of the balance is held by ' +
      'other requests, account Acme is active now, API key ci is disabled, its balance is 4.93: ' +
      '4.90 reserved, 0.03 available',
  ],
  [
    'a refusal',
    {
      status: 'refused',
      error_code: 'NOT_FOUND',
      requested_model: 'gpt-x',
      message: 'This model does not exist.',
      now,
    },
    'refused with NOT_FOUND: asked for gpt-x, This model does not exist, ' +
      'account Acme is active now, API key ci is disabled',
  ],
  [
    'a refusal of where it came from',
    {
      status: 'refused',
      error_code: 'FORBIDDEN',
      requested_model: null,
      message: 'The address is not in the list.',
      address: '203.0.113.9',
      now,
    },
    'refused with FORBIDDEN: The address is not in the list, it came from 203.0.113.9, ' +
      'account Acme is active now, API key ci is disabled',
  ],
  [
    'a key that is not taken',
    {
      status: 'refused',
      error_code: 'UNAUTHORIZED',
      requested_model: null,
      now: null,
      message: 'The API key or access token is missing or not valid.',
      rejected: [],
      bearer: { fault: 'unknown', presented: 'sk-…' },
    },
    'refused with UNAUTHORIZED: no such API key is known (sk-…)',
  ],
  [
    'a key that was mistyped',
    {
      status: 'refused',
      error_code: 'UNAUTHORIZED',
      requested_model: null,
      now: null,
      message: 'The API key or access token is missing or not valid.',
      bearer: { fault: 'malformed', presented: 'tg_live_z40p5szehe1shxet…' },
      resembles: { key_name: 'app', account_id: 'acc_1', account_name: 'Acme' },
    },
    'refused with UNAUTHORIZED: what was sent is no API key (tg_live_z40p5szehe1shxet…), but it ' +
      'begins like the API key "app" of Acme: mistyped or cut off',
  ],
  [
    'a key in a header that its path does not read',
    {
      status: 'refused',
      error_code: 'UNAUTHORIZED',
      requested_model: null,
      now: null,
      path: '/v1/models',
      message: 'The API key came in the header x-api-key.',
      bearer: { fault: 'missing', presented: 'tg_live_z40p5szehe1shxet…' },
      resembles: { key_name: 'app', account_id: 'acc_1', account_name: 'Acme' },
    },
    'refused with UNAUTHORIZED: sent to /v1/models, the API key came in the header x-api-key ' +
      '(tg_live_z40p5szehe1shxet…), which begins like "app" of Acme',
  ],
  [
    'a wrong base address, with whose key it came',
    {
      status: 'refused',
      error_code: 'NOT_FOUND',
      requested_model: null,
      now: null,
      bearer: null,
      address: '192.0.2.1',
      path: '/v1/v1/chat/completions',
      message:
        'This path does not exist. The base address of this API ends in /v1, once: ask ' +
        '/v1/chat/completions.',
      resembles: { key_name: 'app', account_id: 'acc_1', account_name: 'Acme' },
    },
    'refused with NOT_FOUND: sent to /v1/v1/chat/completions, This path does not exist. The base ' +
      'address of this API ends in /v1, once: ask /v1/chat/completions, it came from 192.0.2.1, ' +
      'with the API key "app" of Acme',
  ],
  [
    'a key in quotation marks, of which no key is known',
    {
      status: 'refused',
      error_code: 'UNAUTHORIZED',
      requested_model: null,
      now: null,
      address: '192.0.2.1',
      message: 'The API key is in quotation marks: send it without them.',
      bearer: { fault: 'malformed', presented: null },
    },
    'refused with UNAUTHORIZED: the API key is in quotation marks: send it without them, it came ' +
      'from 192.0.2.1',
  ],
  [
    'a key in quotation marks that is known otherwise',
    {
      status: 'refused',
      error_code: 'UNAUTHORIZED',
      requested_model: null,
      now: null,
      message: 'The API key is in quotation marks: send it without them.',
      bearer: { fault: 'malformed', presented: 'tg_live_z40p5szehe1shxet…' },
      resembles: { key_name: 'app', account_id: 'acc_1', account_name: 'Acme' },
    },
    'refused with UNAUTHORIZED: the API key is in quotation marks: send it without them ' +
      '(tg_live_z40p5szehe1shxet…), which begins like "app" of Acme',
  ],
  [
    'a request whose client left, for which its call was ended',
    {
      status: 'failed',
      error_code: null,
      requested_model: 'small',
      end_reason: 'client_gone',
      failed_attempts: [{ channel_id: 'chn_1', reason: 'the call was aborted' }],
    },
    'failed: asked for small, the client closed the connection; what was delivered is charged',
  ],
  [
    'a request that no channel could take',
    {
      status: 'refused',
      error_code: 'SERVICE_UNAVAILABLE',
      requested_model: 'small',
      message: 'No channel can serve it.',
      bearer: null,
      now: null,
      rejected: [
        { channel_id: 'chn_1', model: 'small', reason: 'failing', until: null },
        {
          channel_id: 'chn_1',
          model: 'big',
          reason: 'cooling_down',
          until: '2026-02-03T10:00:20.000Z',
        },
      ],
    },
    'refused with SERVICE_UNAVAILABLE: asked for small, No channel can serve it, ' +
      'small at "first" failed too often, ' +
      'big at "first" was limited by its vendor until 2026-02-03T10:00:20.000Z',
  ],
  [
    'a request of a model whose channels are disabled',
    {
      status: 'refused',
      error_code: 'SERVICE_UNAVAILABLE',
      requested_model: 'small',
      message: 'No channel for this model is enabled.',
      rejected: [],
      now: {
        account: null,
        key: null,
        disabled_channels: [
          {
            name: 'first',
            status: 'auto_disabled',
            disabled_at: '2026-02-03T10:00:00.000Z',
            disabled_reason: 'The vendor refused the credential (401).',
          },
          { name: 'second', status: 'disabled', disabled_at: null, disabled_reason: null },
        ],
      },
    },
    'refused with SERVICE_UNAVAILABLE: asked for small, No channel for this model is enabled, ' +
      'channel "first" was disabled automatically at 2026-02-03T10:00:00.000Z: The vendor refused the ' +
      'credential (401), channel "second" is disabled by an operator',
  ],
])('%s is said in a line', (_what, story, line) => {
  expect(describeRequest(story, new Map([['chn_1', 'first']]))).toBe(line);
});

test('a model that no channel has is told apart from one whose channels are disabled', () => {
  const refused = {
    status: 'refused',
    error_code: 'SERVICE_UNAVAILABLE',
    requested_model: 'small',
    message: 'No channel for this model is enabled.',
  } as const;
  const none = { account: null, key: null, candidates: [], disabled_channels: [] };
  expect(describeRequest({ ...refused, now: none })).toContain(
    ', no channel that its account may use has small: add one, or the model to one',
  );
  const unread = [{ about: 'channels', reason: 'Routing is away.' }];
  const others = [{ candidates: [{}] }, { candidates: null }, { unknown: unread }];
  for (const other of others) {
    expect(describeRequest({ ...refused, now: { ...none, ...other } })).not.toContain('add one');
  }
});

test('what was switched off says by whom and when, once', () => {
  const off = { at: '2026-01-01T18:24:44.000Z', by: 'ann@acme.example' };
  const channel = {
    name: 'first',
    status: 'disabled',
    disabled_at: null,
    disabled_reason: null,
  } as const;
  const line = describeRequest({
    status: 'refused',
    error_code: 'SERVICE_UNAVAILABLE',
    requested_model: null,
    message: 'No channel for this model is enabled.',
    now: {
      account: { name: 'Acme', status: 'active' },
      key: null,
      unknown: [{ about: 'key', reason: 'It was revoked.' }],
      disabled_channels: [{ ...channel, channel_id: 'chn_1' }],
      switched_off: [
        { type: 'key', id: 'key_1', name: 'gone', change: 'revoked', ...off },
        { type: 'channel', id: 'chn_1', name: 'first', change: 'disabled', ...off },
      ],
    },
  });
  expect(line).toContain('API key "gone" was revoked 2026-01-01T18:24:44.000Z by ann@acme.example');
  expect(line).toContain('channel "first" was disabled 2026-01-01T18:24:44.000Z by ann@');
  expect(line).not.toMatch(/It was revoked|disabled by an operator/);
});

test('what was off then is told with who switched it on since, and what is off with its remedy', () => {
  const [at, on] = ['2026-01-01T18:24:44.000Z', '2026-01-01T18:30:00.000Z'];
  const acme = { type: 'account', id: 'acc_1', name: 'Acme', change: 'suspended', at } as const;
  const off = { ...acme, by: 'ann@acme.example', on_again: null };
  const refused = {
    status: 'refused',
    error_code: 'FORBIDDEN',
    requested_model: null,
    message: 'This account is suspended.',
  } as const;
  const told = `account "Acme" was suspended ${at} by ann@acme.example`;
  const on_again = { at: on, by: 'bob@acme.example' };
  const since = { ...now, switched_off: [{ ...off, on_again }] };
  expect(describeRequest({ ...refused, now: since })).toContain(
    `${told} and is on again since ${on} by bob@acme.example`,
  );
  const suspended = { ...now, account: { name: 'Acme', status: 'suspended' } as const };
  expect(describeRequest({ ...refused, now: { ...suspended, switched_off: [off] } })).toContain(
    `${told}; to let in again: tollgate account resume acc_1`,
  );
});

test('a channel that was disabled automatically then has its reason, and a person that was off then no remedy', () => {
  const [at, on] = ['2026-01-01T18:24:44.000Z', '2026-01-01T18:30:00.000Z'];
  const first = { type: 'channel', id: 'chn_1', name: 'first', change: 'disabled', at } as const;
  const reason = 'The vendor refused the credential (401).';
  const channel = { ...first, by: 'system', reason, on_again: { at: on, by: 'system' } };
  const message = 'The API key or access token is missing or not valid.';
  const refused = { status: 'refused', requested_model: null, message } as const;
  const unserved = { ...refused, error_code: 'SERVICE_UNAVAILABLE' as const };
  expect(describeRequest({ ...unserved, now: { ...now, switched_off: [channel] } })).toContain(
    `channel "first" was disabled automatically ${at} (The vendor refused the credential (401)) and is on ` +
      `again since ${on} by itself`,
  );
  const [name, by] = ['mel@acme.example', 'ann@acme.example'];
  const mel = { type: 'user', id: 'usr_1', name, change: 'disabled', at, by } as const;
  const line = describeRequest({
    ...refused,
    error_code: 'UNAUTHORIZED',
    bearer: { fault: 'owner_gone', presented: 'tg_live_59s5d7q8...' },
    now: { ...now, switched_off: [{ ...mel, on_again: { at: on, by } }] },
  });
  expect(line).toContain(': who made the API key was disabled (tg_live_59s5d7q8...), ');
  expect(line).toContain(
    `${name} was disabled ${at} by ${by} and is on again since ${on} by ${by}`,
  );
  expect(line).not.toContain('to let in again');
});

test('a disabled person stands there with who did it, when, and what to do', () => {
  const at = '2026-01-01T18:24:44.000Z';
  const mel = { type: 'user', id: 'usr_1', name: 'mel@acme.example', change: 'disabled' } as const;
  const line = describeRequest({
    status: 'refused',
    error_code: 'UNAUTHORIZED',
    requested_model: null,
    bearer: { fault: 'owner_gone', presented: 'tg_live_59s5d7q8...' },
    now: { ...now, switched_off: [{ ...mel, at, by: 'ann@acme.example' }] },
  });
  expect(line).toContain(': who made the API key is disabled (tg_live_59s5d7q8...), ');
  const advice = 'to let in again: tollgate user enable mel@acme.example';
  expect(line).toContain(`mel@acme.example was disabled ${at} by ann@acme.example; ${advice}`);
  const session = describeRequest({
    status: 'refused',
    error_code: 'UNAUTHORIZED',
    requested_model: null,
    bearer: { fault: 'session', presented: 'usr_1' },
    now: { ...now, switched_off: [{ ...mel, at, by: 'ann@acme.example' }] },
  });
  expect(session).toContain(': whose session it was is disabled (usr_1), ');
});

test('a key that was rotated, and one that went with its person, have who did it, and no remedy', () => {
  const message = 'The API key or access token is missing or not valid.';
  const refused = { status: 'refused', requested_model: null, message } as const;
  const at = '2026-01-01T18:24:44.000Z';
  const by = 'ann@acme.example';
  type Off = NonNullable<NonNullable<DescribedRequest['now']>['switched_off']>[number];
  const tell = (fault: 'revoked' | 'wrong_secret', off: Omit<Off, 'at' | 'by'>) =>
    describeRequest({
      ...refused,
      error_code: 'UNAUTHORIZED',
      bearer: { fault, presented: null },
      now: { ...now, switched_off: [{ ...off, at, by, on_again: null }] },
    });
  const main = { type: 'key', id: 'key_1', name: 'main', change: 'rotated' } as const;
  expect(tell('wrong_secret', main)).toMatch(
    / this is none of its secrets, .*, API key "main" was rotated 2026-\S+ by ann@acme\.example$/,
  );
  const bob = { type: 'user', id: 'usr_1', name: 'bob@acme.example', change: 'removed' } as const;
  expect(tell('revoked', bob)).toMatch(
    /: who made the API key was removed from the account, .*, bob@acme\.example was removed 2026-\S+ by ann@acme\.example$/,
  );
});

test.each([
  [{ http_status: 404, reason: 'failure' }, '"chn_1" answered 404 failure (is upstream_name of '],
  [
    { reason: 'the vendor took the request and answered nothing within 2000 ms' },
    ' within 2000 ms (its timeouts: tollgate channel show chn_1)',
  ],
])('what to look at is named after %j', (failed, told) => {
  const story = { status: 'failed', error_code: 'UPSTREAM_ERROR', requested_model: 'm' } as const;
  const failed_attempts = [{ channel_id: 'chn_1', ...failed }];
  expect(describeRequest({ ...story, failed_attempts })).toContain(told);
});

test('a key that an operator disabled is enabled by an operator', () => {
  const off = { type: 'key', id: 'key_1', name: 'ci', change: 'disabled', at: 'now' } as const;
  const key = { ...now.key, disabled_by: 'operator' } as const;
  const story = { status: 'refused', error_code: 'UNAUTHORIZED', requested_model: null } as const;
  const switched_off = [{ ...off, by: 'ann@acme.example' }];
  expect(describeRequest({ ...story, now: { ...now, key, switched_off } })).toMatch(
    / by ann@acme\.example; to let in again: POST \/v1\/admin\/keys\/key_1\/enable$/,
  );
});
