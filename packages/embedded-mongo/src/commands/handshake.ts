import { Int32 } from 'bson';
import { CommandError } from '../errors';
import type { Encodable } from '../values/encode';
import type { Command, CommandContext, CommandDefinition } from './command';
import { ok, transactionsUnsupported } from './command';

/** The protocol of MongoDB 7.0: what drivers derive their behaviour from. */
const WIRE_VERSION_MAX = 21;
const SERVER_VERSION = '7.0.0';
const SESSION_TIMEOUT_MINUTES = 30;

/**
 * Presents a standalone server: drivers then use sessions but neither retryable writes nor
 * transactions. There is no topologyVersion, so monitors poll instead of streaming.
 */
function greet(context: CommandContext, command: Command) {
  const primary = command.name === 'hello' ? 'isWritablePrimary' : 'ismaster';
  return ok([
    ['helloOk', true],
    [primary, true],
    ['maxBsonObjectSize', new Int32(context.limits.documentBytesMax)],
    ['maxMessageSizeBytes', new Int32(context.limits.messageBytesMax)],
    ['maxWriteBatchSize', new Int32(context.limits.writeBatchMax)],
    ['localTime', new Date(context.clock.now())],
    ['logicalSessionTimeoutMinutes', new Int32(SESSION_TIMEOUT_MINUTES)],
    ['connectionId', new Int32(command.connectionId)],
    ['minWireVersion', new Int32(0)],
    ['maxWireVersion', new Int32(WIRE_VERSION_MAX)],
    ['readOnly', false],
  ]);
}

const GREETING: CommandDefinition = {
  access: 'read',
  fields: [
    'helloOk',
    'client',
    'compression',
    'loadBalanced',
    'speculativeAuthenticate',
    'saslSupportedMechs',
    'backpressure',
  ],
  run: greet,
};

const BUILD_INFO: CommandDefinition = {
  access: 'read',
  fields: [],
  run: (context) =>
    ok([
      ['version', SERVER_VERSION],
      ['versionArray', SERVER_VERSION.split('.').map((part) => new Int32(Number(part)))],
      ['modules', ['tollgate-embedded']],
      ['maxBsonObjectSize', new Int32(context.limits.documentBytesMax)],
      ['bits', new Int32(64)],
    ]),
};

function getParameter(_context: CommandContext, command: Command) {
  const wanted = [...command.body.keys()].filter(
    (name) => name !== 'getParameter' && name === 'featureCompatibilityVersion',
  );
  if (wanted.length === 0) throw new CommandError('InvalidOptions', 'no option found to get');
  const version: Encodable = new Map([['version', SERVER_VERSION.slice(0, 3)]]);
  return ok([['featureCompatibilityVersion', version]]);
}

function refuseTransaction(_context: CommandContext, command: Command): never {
  throw transactionsUnsupported(command.name);
}

const TRANSACTION_END: CommandDefinition = {
  access: 'read',
  fields: ['recoveryToken'],
  run: refuseTransaction,
};

/** Greetings and what belongs to connections and sessions. */
export const handshakeCommands: Readonly<Record<string, CommandDefinition>> = {
  hello: GREETING,
  isMaster: GREETING,
  ismaster: GREETING,
  buildInfo: BUILD_INFO,
  buildinfo: BUILD_INFO,
  ping: { access: 'read', fields: [], run: () => ok() },
  // Sessions carry nothing here, so that ending them has nothing to end.
  endSessions: { access: 'read', fields: [], run: () => ok() },
  getParameter: { access: 'read', fields: ['featureCompatibilityVersion'], run: getParameter },
  commitTransaction: TRANSACTION_END,
  abortTransaction: TRANSACTION_END,
};
