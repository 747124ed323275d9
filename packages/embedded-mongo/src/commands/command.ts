import type { Clock } from '@tollgate/core';
import { Double } from 'bson';
import type { StoreBounds } from '../bounds';
import { CommandError } from '../errors';
import type { Collection } from '../storage/collection';
import type { Store } from '../storage/store';
import { requireDocument } from '../values/documents';
import type { Encodable, EncodableDocument } from '../values/encode';
import {
  type Document,
  isDocument,
  isNumber,
  isTruthy,
  toSafeInteger,
  typeName,
  type Value,
} from '../values/value';
import type { CursorTable } from './cursors';

/** A command taken apart: its name, the value of its first member, and all its members. */
export interface Command {
  readonly name: string;
  readonly database: string;
  readonly argument: Value;
  readonly body: Document;
  readonly connectionId: number;
}

export interface CommandContext {
  readonly store: Store;
  readonly cursors: CursorTable;
  readonly clock: Clock;
  readonly bounds: StoreBounds;
}

/** One command of the closed list. */
export interface CommandDefinition {
  readonly access: 'read' | 'write';
  /** Members it understands besides the generic ones; any other is an error. */
  readonly members: readonly string[];
  run(context: CommandContext, command: Command): EncodableDocument;
}

/** Members that every command may carry. */
const GENERIC_MEMBERS: ReadonlySet<string> = new Set([
  '$db',
  'lsid',
  '$clusterTime',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
]);

const TRANSACTION_MEMBERS = ['startTransaction', 'autocommit', 'txnNumber'] as const;

/** Refuses members the command does not understand: none is ignored in silence. */
export function requireKnownMembers(command: Command, definition: CommandDefinition): void {
  for (const member of TRANSACTION_MEMBERS) {
    if (!command.body.has(member)) continue;
    throw new CommandError(
      // Not 20, which drivers rewrite into advice about the connection string.
      'OperationNotSupportedInTransaction',
      `Multi-document transactions and retryable writes are not supported (${member})`,
    );
  }
  for (const member of command.body.keys()) {
    if (member === command.name || GENERIC_MEMBERS.has(member)) continue;
    if (!definition.members.includes(member)) {
      throw new CommandError(
        'Location40415',
        `BSON field '${command.name}.${member}' is an unknown field.`,
      );
    }
  }
  requireKnownConcerns(command.body);
}

/** One durable node is every majority; it is neither two nodes nor a snapshot. */
function requireKnownConcerns(body: Document): void {
  const write = body.get('writeConcern');
  const nodes = isDocument(write) ? write.get('w') : undefined;
  const count = toSafeInteger(nodes) ?? 1;
  if (count > 1 || (typeof nodes === 'string' && nodes !== 'majority')) {
    throw new CommandError(
      'BadValue',
      'writeConcern w must be 0, 1 or majority: there is one node',
    );
  }
  const concern = body.get('readConcern');
  if (isDocument(concern) && concern.get('level') === 'snapshot') {
    throw new CommandError('InvalidOptions', "readConcern level 'snapshot' is not supported");
  }
}

/** The members of a successful answer, closed by `ok`. */
export function ok(members: readonly (readonly [string, Encodable])[] = []): EncodableDocument {
  return new Map<string, Encodable>([...members, ['ok', new Double(1)]]);
}

/** The collection's name, which is the command's first value. */
export function collectionName(command: Command): string {
  if (typeof command.argument === 'string' && command.argument !== '') return command.argument;
  throw new CommandError('InvalidNamespace', `${command.name} needs the name of a collection`);
}

/** The collection that the command names; undefined when it does not exist. */
export function existingCollection(
  context: CommandContext,
  command: Command,
): Collection | undefined {
  return context.store.find(command.database, collectionName(command));
}

/** A member that is a document; an empty one when it is absent. */
export function optionalDocument(body: Document, name: string): Document {
  const value = body.get(name);
  const absent = value === undefined || value === null;
  return absent ? new Map<string, Value>() : requireDocument(value, name);
}

/** A member that is a whole number of at least 0; `fallback` when it is absent. */
export function optionalCount(body: Document, name: string, fallback: number): number {
  const value = body.get(name);
  if (value === undefined || value === null) return fallback;
  const count = toSafeInteger(value);
  if (count === undefined) {
    throw new CommandError('TypeMismatch', `'${name}' must be a whole number`);
  }
  if (count < 0) throw new CommandError('BadValue', `'${name}' must be at least 0`);
  return count;
}

/** A member that is a flag; numbers count as MongoDB counts them. */
export function optionalFlag(body: Document, name: string): boolean {
  const value = body.get(name);
  if (value === undefined || value === null || typeof value === 'boolean' || isNumber(value)) {
    return isTruthy(value);
  }
  throw new CommandError('TypeMismatch', `'${name}' must be a boolean, not ${typeName(value)}`);
}
