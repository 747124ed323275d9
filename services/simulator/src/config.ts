import { type ConfigOf, defineConfig, integer, list, port, secret, text } from '@tollgate/config';
import { DIRECTIVE_BOUNDS } from './domain/behaviour';

export const simulatorConfigSchema = defineConfig({
  bind: text('TOLLGATE_SIMULATOR_BIND', {
    default: '127.0.0.1',
    description: 'The address that the simulator binds.',
  }),
  port: port('TOLLGATE_SIMULATOR_PORT', {
    default: 7180,
    description: 'The port that the simulator listens on; 0 takes any free one.',
  }),
  credential: secret('TOLLGATE_SIMULATOR_CREDENTIAL', {
    optional: true,
    description: 'The bearer credential that clients must show; none when absent.',
  }),
  models: list('TOLLGATE_SIMULATOR_MODELS', {
    default: ['simulated-small', 'simulated-large'],
    itemMeaning: 'model names',
    itemsMax: 100,
    description: 'The models that the simulator lists; it answers for any name.',
  }),
  tokens: integer('TOLLGATE_SIMULATOR_TOKENS', {
    default: 40,
    min: 0,
    max: DIRECTIVE_BOUNDS.tokensMax,
    description: 'Tokens of an answer when the request does not say.',
  }),
  latencyMs: integer('TOLLGATE_SIMULATOR_LATENCY_MS', {
    default: 0,
    min: 0,
    max: DIRECTIVE_BOUNDS.delayMsMax,
    description: 'Time before the head of an answer.',
  }),
  firstTokenMs: integer('TOLLGATE_SIMULATOR_FIRST_TOKEN_MS', {
    default: 0,
    min: 0,
    max: DIRECTIVE_BOUNDS.delayMsMax,
    description: 'Time from the head to the first token.',
  }),
  tokenIntervalMs: integer('TOLLGATE_SIMULATOR_TOKEN_INTERVAL_MS', {
    default: 0,
    min: 0,
    max: DIRECTIVE_BOUNDS.delayMsMax,
    description: 'Time after each token.',
  }),
  bodyBytesMax: integer('TOLLGATE_SIMULATOR_BODY_BYTES_MAX', {
    default: 16_777_216,
    min: 1_024,
    max: 268_435_456,
    description: 'The largest request body that is read.',
  }),
  connectionsMax: integer('TOLLGATE_SIMULATOR_CONNECTIONS_MAX', {
    default: 10_000,
    min: 1,
    max: 100_000,
    description: 'Connections that may be open together.',
  }),
  deliveriesMax: integer('TOLLGATE_SIMULATOR_DELIVERIES_MAX', {
    default: 65_536,
    min: 1,
    max: 1_000_000,
    description: 'Deliveries that are remembered for comparison with charges.',
  }),
});

export type SimulatorConfig = ConfigOf<typeof simulatorConfigSchema>;
