// Times the choice of a channel alone: 200 channels that serve 100 models each, by the built code of
// completion. Prints one line of JSON with the median microseconds of CPU of each way to name a model.
'use strict';
const path = require('node:path');

const routing = path.join(__dirname, '../../../services/completion/dist/routing');
const { chooseRoute } = require(path.join(routing, 'choose.js'));
const { parseModelName } = require(path.join(routing, 'model-name.js'));
const { createRouteTable } = require(path.join(routing, 'route-table.js'));

const CHANNELS = 200;
const MODELS = 100;
const ROUNDS = 2000;
/** The default of TOLLGATE_COMPLETION_ATTEMPTS_MAX. */
const ATTEMPTS = 3;
const timeouts = {
  ...{ connectMs: 0, headMs: 0, wholeHeadMs: 0, firstTokenMs: 0, idleMs: 0, totalMs: 0 },
};
const models = Array.from({ length: MODELS }, (_, index) => ({
  name: `model-${index}`,
  kind: 'chat',
  completionTokensMax: 4096,
  contextTokensMax: 128_000,
  prices: {
    prompt: BigInt(index + 1) * 1000n,
    completion: BigInt(index + 1) * 3000n,
    cachedPrompt: 0n,
  },
  priceVersion: 1,
}));
const channels = Array.from({ length: CHANNELS }, (_, index) => ({
  id: `chn_${index}`,
  name: `Channel ${index}`,
  type: 'openai',
  baseUrl: 'http://vendor.invalid/v1',
  credential: '',
  models: models.map(({ name }) => ({ name, upstreamName: name, healthy: true })),
  groups: [],
  ownerAccountId: null,
  priority: index % 4,
  weight: 1 + (index % 5),
  concurrencyMax: 0,
  timeouts,
  capabilities: [],
  firstTokenMs: 100 + index,
}));
const table = createRouteTable(1n, channels, models);
const health = { obstacle: undefined, firstTokenMs: 200, tokensPerSecond: 50, measuredAgoMs: 10 };
const healthOf = () => health;

const found = {};
for (const name of ['model-7', 'auto', 'auto-cheap', 'auto-fast']) {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const query = {
      accountId: 'acc_1',
      operator: false,
      name: parseModelName(name),
      kind: 'chat',
      models: [],
      accountModels: [],
      discount: 0,
      keyGroups: [],
      grantedGroups: [],
      capabilities: [],
      capabilityParam: '',
      inexpressible: () => undefined,
      maxTokens: 100,
      promptEstimate: 20,
      promptTokensMax: 60,
      promptExceeds: () => false,
      choices: 1,
      seed: (round * 2_654_435_761) >>> 0,
      conversationSeed: undefined,
      nowMs: performance.now(),
    };
    const before = process.cpuUsage();
    chooseRoute(table, healthOf, query, ATTEMPTS);
    const { user, system } = process.cpuUsage(before);
    times.push(user + system);
  }
  // The first half is the compiler's.
  const settled = times.slice(ROUNDS / 2).sort((a, b) => a - b);
  found[name] = settled[Math.floor(settled.length / 2)];
}
process.stdout.write(`${JSON.stringify(found)}\n`);
