import { isOutOfCredit } from './vendor-credit';

test.each([
  ['OpenAI', 429, { code: 'insufficient_quota', message: 'You exceeded your current quota.' }],
  ['OpenAI, the hard limit', 400, { code: 'billing_hard_limit_reached', message: 'reached' }],
  ['Anthropic', 400, { message: 'Your credit balance is too low to access the Anthropic API.' }],
  ['Anthropic, by its type', 403, { type: 'billing_error', message: 'no' }],
  ['Gemini', 429, { message: 'Your prepayment credits are depleted. Please go to AI Studio.' }],
  ['Gemini, by a reason', 403, { details: [{ reason: 'BILLING_DISABLED' }] }],
  ['DeepSeek', 402, { message: 'Insufficient Balance' }],
  ['Moonshot', 429, { type: 'exceeded_current_quota_error' }],
  ['DashScope', 400, { code: 'Arrearage' }],
  ['a relay', 403, { code: 'insufficient_user_quota' }],
  ['whoever answers 402 and nothing', 402, undefined],
  ['an event of a stream', undefined, { code: 'insufficient_quota' }],
])('%s says that an account has nothing left to spend', (_vendor, status, error) => {
  expect(isOutOfCredit(status, error)).toBe(true);
});

test.each([
  // Gemini says it of every limit.
  ['a limit', 429, { status: 'RESOURCE_EXHAUSTED', message: 'You exceeded your current quota' }],
  ['a limit of tokens', 429, { code: 'rate_limit_exceeded', message: 'Rate limit reached.' }],
  ['what quotes a prompt', 400, { message: 'Not valid: "your credit balance is too low"' }],
  ['an ill vendor', 500, { code: 'insufficient_quota' }],
  ['nothing', 429, undefined],
])('%s is no want of credit', (_what, status, error) => {
  expect(isOutOfCredit(status, error)).toBe(false);
});
