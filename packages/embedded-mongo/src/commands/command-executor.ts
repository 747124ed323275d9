import type { Logger } from '@tollgate/core';
import { Double, Int32 } from 'bson';
import { CommandError, MONGODB_CODES } from '../errors';
import type { CommitQueue, Outcome } from '../storage/commit-queue';
import type { Encodable, EncodableDocument } from '../values/encode';
import type { Document } from '../values/value';
import type { CommandExecutor } from '../wire/connection';
import {
  type Command,
  type CommandContext,
  type CommandDefinition,
  requireKnownMembers,
} from './command';
import { handshakeCommands } from './handshake';
import { indexCommands } from './indexes';
import { readCommands } from './read';
import { updateCommands } from './update';
import { writeCommands } from './write';

/** The closed list: a command that is not here does not exist. */
const COMMANDS: ReadonlyMap<string, CommandDefinition> = new Map(
  Object.entries({
    ...handshakeCommands,
    ...readCommands,
    ...writeCommands,
    ...updateCommands,
    ...indexCommands,
  }),
);

export interface ExecutorOptions {
  readonly context: CommandContext;
  readonly queue: CommitQueue;
  readonly logger: Logger;
  /** Called with the name of every command of the closed list, before it runs. */
  readonly onCommand: (name: string) => void;
}

/** Runs commands through the commit queue and turns failures into answers. */
export function createCommandExecutor(options: ExecutorOptions): CommandExecutor {
  const { context, queue, logger, onCommand } = options;
  return (body, connectionId, answer) => {
    const finish = (outcome: Outcome<EncodableDocument>) => {
      answer(outcome.ok ? outcome.value : toErrorReply(outcome.error, logger));
    };
    try {
      const command = takeApart(body, connectionId);
      const definition = COMMANDS.get(command.name);
      if (definition === undefined) {
        throw new CommandError('CommandNotFound', `no such command: '${command.name}'`);
      }
      onCommand(command.name);
      requireKnownMembers(command, definition);
      queue[definition.access](() => definition.run(context, command), finish);
    } catch (error) {
      finish({ ok: false, error });
    }
  };
}

function takeApart(body: Document, connectionId: number): Command {
  const [first] = body;
  if (first === undefined) throw new CommandError('BadValue', 'a command has no fields');
  const [name, argument] = first;
  const database = body.get('$db');
  if (typeof database !== 'string' || database === '') {
    throw new CommandError('Location40414', "a command needs '$db', the name of a database");
  }
  return { name, argument, database, body, connectionId };
}

function toErrorReply(error: unknown, logger: Logger): EncodableDocument {
  if (!(error instanceof CommandError)) {
    logger.error({ error }, 'a command of the embedded store failed');
  }
  const known = error instanceof CommandError ? error : undefined;
  return new Map<string, Encodable>([
    ['ok', new Double(0)],
    ['errmsg', known?.message ?? 'internal error of the embedded store'],
    ['code', new Int32(known?.code ?? MONGODB_CODES.InternalError)],
    ['codeName', known?.codeName ?? 'InternalError'],
    ...(known?.details ?? []),
  ]);
}
