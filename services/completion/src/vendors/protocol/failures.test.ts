import { refusedByStatus } from './failures';

const BOUNDS = { lineBytesMax: 1000, retryAfterMsMax: 60_000 };
const forbidden = (body: string) =>
  refusedByStatus({ status: 403, headers: {}, body: Buffer.from(body) }, BOUNDS, 0);

it.each([
  [
    'OpenRouter',
    {
      code: 403,
      message: 'Your chosen model requires moderation and your input was flagged',
      metadata: { reasons: ['violence'], flagged_input: 'words of a prompt' },
    },
  ],
  ['OpenRouter, in other words', { code: 403, message: 'no', metadata: { reasons: ['hate'] } }],
  ['a guardrail', { type: 'forbidden', message: 'Blocked by guardrail "prices".' }],
  ['a policy', { message: 'This prompt violates our usage policies. Check your account.' }],
])('a 403 of %s finds fault with the prompt, not with the credential', (_vendor, error) => {
  const failure = forbidden(JSON.stringify({ error }));
  expect(failure).toMatchObject({
    outcome: 'request_refused',
    retryElsewhere: false,
    error: { code: 'CONTENT_POLICY', param: 'messages' },
  });
  expect(`${failure.message} ${failure.error.publicMessage}`).not.toContain('words of a prompt');
});

it.each([
  ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  ['PERMISSION_DENIED', 'Generative Language API has not been used before'],
  ['unsupported_country_region_territory', 'Country, region, or territory not supported'],
  ['model_not_found', 'Project `p` does not have access to model `m`'],
])('a 403 about a credential, %s, may be answered by another channel', (type, message) => {
  expect(forbidden(JSON.stringify({ error: { type, message } }))).toMatchObject({
    outcome: 'credential_refused',
    retryElsewhere: true,
  });
});

it.each(['', '<html>Forbidden</html>', '{"error":{"message":"no"}}'])(
  'a 403 that says %j is not carried from channel to channel',
  (body) => {
    expect(forbidden(body)).toMatchObject({ outcome: 'credential_refused', retryElsewhere: false });
  },
);
