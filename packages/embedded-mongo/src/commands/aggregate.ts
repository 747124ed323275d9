import type { CommandDefinition } from './command';

/** Computing over documents. */
export const aggregateCommands: Readonly<Record<string, CommandDefinition>> = {};
