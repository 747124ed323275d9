import { Int32 } from 'bson';
import { type Command, type CommandContext, type CommandDefinition, ok } from './command';

/** The protocol of MongoDB 7.0: what drivers derive their behaviour from. */
const WIRE_VERSION_MAX = 21;
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
    ['maxBsonObjectSize', new Int32(context.bounds.documentBytesMax)],
    ['maxMessageSizeBytes', new Int32(context.bounds.messageBytesMax)],
    ['maxWriteBatchSize', new Int32(context.bounds.writeBatchMax)],
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
  members: ['helloOk', 'client', 'compression', 'backpressure'],
  run: greet,
};

/** Greetings and the end of sessions. */
export const handshakeCommands: Readonly<Record<string, CommandDefinition>> = {
  hello: GREETING,
  ismaster: GREETING,
  // Sessions carry nothing here, so that ending them has nothing to end.
  endSessions: { access: 'read', members: [], run: () => ok() },
};
