/** In place of a secret; long enough for the schemas. */
const PLACEHOLDER = 'placeholder-of-a-secret';
const COMPLETION = {
  model: 'auto',
  messages: [
    { role: 'system', content: 'You answer in one sentence.' },
    { role: 'user', content: 'What is a tollgate?' },
  ],
  temperature: 0.2,
  max_tokens: 256,
};
const PERSON = { email: 'ada@example.com', password: PLACEHOLDER, display_name: 'Ada' };
const MODEL = {
  description: 'A small model for short answers.',
  context_length: 128_000,
  max_completion_tokens: 4096,
  pricing: { prompt: '0.10', completion: '0.40', cached_prompt: '0.05' },
  capabilities: ['tools'],
};

/** One request body for every operation that takes members, by method and path. */
export const REQUEST_EXAMPLES: Readonly<Record<string, object>> = {
  'POST /v1/llm/chat/completions': COMPLETION,
  'POST /v1/chat/completions': { ...COMPLETION, stream: true },
  'POST /v1/messages': {
    model: 'auto',
    system: 'You answer in one sentence.',
    messages: [{ role: 'user', content: 'What is a tollgate?' }],
    max_tokens: 256,
  },
  'POST /v1/responses': {
    model: 'auto',
    instructions: 'You answer in one sentence.',
    input: 'What is a tollgate?',
    max_output_tokens: 256,
  },
  'POST /v1/llm/route/explain': COMPLETION,
  'POST /v1/keys': {
    name: 'ci',
    scopes: ['completions', 'models'],
    models: ['small-chat'],
    allowed_ips: ['203.0.113.0/24'],
    max_budget: '25.00',
    budget_period: 'month',
    requests_per_minute: 60,
    metadata: { team: 'search' },
  },
  'PATCH /v1/keys/{id}': { status: 'disabled' },
  'PUT /v1/keys/{id}': { name: 'ci', models: ['small-chat'], requests_per_minute: 60 },
  'POST /v1/keys/{id}/rotate': { grace_period_seconds: 3600 },
  'POST /v1/account/members': { ...PERSON, role: 'member' },
  'PATCH /v1/account/members/{id}': { role: 'admin' },
  'POST /v1/users/reset-password': { code: PLACEHOLDER, new_password: `another-${PLACEHOLDER}` },
  'POST /v1/users/login': { email: PERSON.email, password: PLACEHOLDER },
  'POST /v1/users/refresh': { refresh_token: PLACEHOLDER },
  'POST /v1/users': PERSON,
  'POST /v1/users/logout': { all_sessions: true },
  'POST /v1/users/password': {
    current_password: PLACEHOLDER,
    new_password: `another-${PLACEHOLDER}`,
  },
  'POST /v1/oauth/token': { code: PLACEHOLDER },
  'POST /v1/webhooks': {
    url: 'https://receiver.example.com/tollgate',
    events: ['balance.low', 'key.created'],
    description: 'For the team that pays.',
  },
  'PATCH /v1/webhooks/{id}': { status: 'enabled' },
  'PUT /v1/webhooks/{id}': {
    url: 'https://receiver.example.com/tollgate',
    events: ['balance.low'],
  },
  'POST /v1/webhooks/{id}/rotate-secret': { grace_period_seconds: 3600 },
  'POST /v1/admin/channels': {
    name: 'first vendor',
    type: 'openai',
    base_url: 'https://vendor.example.com/v1',
    credential: PLACEHOLDER,
    models: [{ name: 'small-chat', upstream_name: 'vendor-small' }],
    groups: ['batch'],
    priority: 0,
    weight: 1,
  },
  'PATCH /v1/admin/channels/{id}': { weight: 2 },
  'PUT /v1/admin/channels/{id}': { status: 'disabled', weight: 2 },
  'POST /v1/admin/channels/{id}/health': { model: 'small-chat' },
  'POST /v1/admin/models': { name: 'small-chat', ...MODEL },
  'PUT /v1/admin/models/{id}': MODEL,
  'PATCH /v1/admin/models/{id}': { pricing: { completion: '0.30' } },
  'POST /v1/admin/accounts': { name: 'Acme', plan: 'smart', owner: PERSON },
  'PATCH /v1/admin/accounts/{id}': { status: 'suspended' },
  'PUT /v1/admin/accounts/{id}': {
    name: 'Acme',
    status: 'active',
    overrides: { groups: ['batch'] },
  },
  'POST /v1/admin/accounts/{id}/credits': { amount: '10.00', note: 'Invoice 7' },
  'POST /v1/admin/accounts/{id}/adjustments': { amount: '-1.50', reason: 'Credited twice' },
  'PUT /v1/admin/accounts/{id}/plan': { plan: 'professional' },
  'POST /v1/topups/{provider}': {
    type: 'topup.succeeded',
    data: {
      account_id: 'acc_01J00000000000000000000001',
      amount: '25.00',
      currency: 'USD',
      reference: 'Invoice 7',
    },
  },
  'POST /v1/account/redeem': { code: 'TG-0000-0000-0000-0000-0000' },
  'POST /v1/admin/codes': { amount: '5.00', count: 20, note: 'Spring fair' },
  'POST /v1/admin/users': { ...PERSON, role: 'owner' },
};
