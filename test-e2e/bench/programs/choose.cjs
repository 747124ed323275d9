// Times the choice of a channel alone: 200 channels that serve 100 models each, by the built code of
// completion, its monitor of channels included. Every channel has a first token of its own, and every
// tenth of its models one too, so that no two are equally fast; two models each cost the same.
//
//   node choose.cjs [choices of each kind, 2000]
//
// Prints one line of JSON: for each way to name a model the CPU of one choice in microseconds, the
// median of all, the mean and the longest.
'use strict';
const path = require('node:path');

const completion = path.join(__dirname, '../../../services/completion/dist');
const { chooseRoute } = require(path.join(completion, 'routing/choose.js'));
const { parseModelName } = require(path.join(completion, 'routing/route-query.js'));
const { createRouteTable } = require(path.join(completion, 'routing/route-table.js'));
const { createChannelMonitor } = require(
  path.join(completion, 'vendors/health/channel-monitor.js'),
);

const CHANNELS = 200;
const MODELS = 100;
const MEASURED_ONE_IN = 10;
/** A process that chooses for 500 requests a second. */
const INTERVAL_MS = 2;
const ROUNDS = Number(process.argv[2] ?? 2000);
const WARM_UP_ROUNDS = Math.ceil(ROUNDS / 2);
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
    prompt: BigInt((index >> 1) + 1) * 1000n,
    completion: BigInt((index >> 1) + 1) * 3000n,
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
const table = createRouteTable(channels, models);

// Time passes as at that rate, however fast the choices are made.
let nowMs = 0;
const clock = { now: () => nowMs, monotonicMs: () => nowMs, schedule: () => ({ cancel() {} }) };
const bounds = { failurePercent: 50, callsMin: 20, openMs: 10_000, breakersMax: 10_000 };
const monitor = createChannelMonitor(bounds, clock);
monitor.setChannels(channels);
for (const [index, channel] of channels.entries()) {
  for (let at = index % MEASURED_ONE_IN; at < MODELS; at += MEASURED_ONE_IN) {
    const candidate = { channel, model: models[at] };
    const call = monitor.enter(candidate, true, 'acc_1');
    const firstTokenMs = 100 + index + at / MODELS;
    call.report({ outcome: 'success', latencyMs: firstTokenMs, firstTokenMs });
    call.leave();
    monitor.noteSpeed(candidate, 100, 1000 + index + at);
  }
}
const healthOf = (candidate) => monitor.healthOf(candidate, 'acc_1');

const found = {};
for (const name of ['model-7', 'auto', 'auto-cheap', 'auto-fast']) {
  const times = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    nowMs += INTERVAL_MS;
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
      // Answers of all sizes, as requests ask for them.
      maxTokens: 2 ** (round % 12),
      promptEstimate: 20,
      promptTokensMax: 60,
      mediaTokensMax: 0,
      promptExceeds: () => false,
      choices: 1,
      costMax: undefined,
      leastCostMax: () => 0n,
      seed: (round * 2_654_435_761) >>> 0,
      conversationSeed: undefined,
      monotonicNowMs: nowMs,
    };
    const before = process.cpuUsage();
    chooseRoute(table, healthOf, query, ATTEMPTS);
    const { user, system } = process.cpuUsage(before);
    if (round >= WARM_UP_ROUNDS) times.push(user + system);
  }
  times.sort((a, b) => a - b);
  found[name] = {
    medianUs: times[Math.floor(ROUNDS / 2)],
    meanUs: times.reduce((sum, each) => sum + each, 0) / ROUNDS,
    longestUs: times.at(-1),
  };
}
process.stdout.write(`${JSON.stringify(found)}\n`);
