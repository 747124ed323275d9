import { describeOperation } from './describe-operation';

test.each([
  ['POST /v1/keys', 'Created an API key'],
  ['PATCH /v1/admin/channels/{id}', 'Changed a channel'],
  ['DELETE /v1/admin/models/{id}', 'Deleted a model'],
  ['DELETE /v1/keys/{id}', 'Revoked an API key'],
  ['PUT /v1/admin/accounts/{id}/plan', "Set an account's plan"],
  ['POST /v1/admin/users/{id}/reset-password', 'Made a reset code'],
  ['POST /v1/admin/of/tomorrow', 'POST /v1/admin/of/tomorrow'],
])('%s is said as %s', (operation, said) => {
  expect(describeOperation(operation)).toBe(said);
});

test('what has a name is called by it', () => {
  expect(describeOperation('PATCH /v1/admin/channels/{id}', 'first')).toBe(
    'Changed channel “first”',
  );
  expect(describeOperation('PATCH /v1/admin/users/{id}', 'ann@acme.example')).toBe(
    'Changed user “ann@acme.example”',
  );
  expect(describeOperation('POST /v1/keys/{id}/rotate', 'ci')).toBe('Rotated an API key: “ci”');
});
