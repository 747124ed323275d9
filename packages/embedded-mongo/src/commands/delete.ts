import { Int32 } from 'bson';
import { CommandError } from '../errors';
import { findMatches } from '../query/find';
import { parseFilter } from '../query/parse';
import { requireDocument } from '../values/require-document';
import { toSafeInteger, type Value } from '../values/value';
import {
  type Command,
  type CommandContext,
  type CommandDefinition,
  existingCollection,
  ok,
  optionalFlag,
  refuseMembers,
} from './command';
import { runBatch, writeErrorsMember } from './write-batch';

function parseStatement(value: Value) {
  const statement = requireDocument(value, 'a delete statement');
  for (const name of statement.keys()) {
    if (!['q', 'limit', 'collation', 'hint'].includes(name)) {
      throw new CommandError('Location40415', `BSON field 'delete.deletes.${name}' is unknown.`);
    }
  }
  refuseMembers(statement, 'delete.deletes', ['collation', 'hint']);
  const limit = toSafeInteger(statement.get('limit'));
  if (limit !== 0 && limit !== 1) {
    throw new CommandError('FailedToParse', 'The limit field in delete objects must be 0 or 1');
  }
  return { predicate: parseFilter(requireDocument(statement.get('q'), 'q')), limit };
}

function remove(context: CommandContext, command: Command) {
  const { body } = command;
  refuseMembers(body, 'delete', ['let']);
  const deletes = body.get('deletes');
  if (!Array.isArray(deletes) || deletes.length === 0) {
    throw new CommandError('BadValue', "'deletes' must be a nonempty array");
  }
  const ordered = !body.has('ordered') || optionalFlag(body, 'ordered');
  const collection = existingCollection(context, command);
  let removed = 0;
  const errors = runBatch(deletes, { ordered, context }, (value) => {
    const { predicate, limit } = parseStatement(value);
    if (collection === undefined) return;
    for (const match of findMatches(collection, { predicate, sort: [], skip: 0, limit })) {
      collection.remove(match.stored, match.document());
      removed += 1;
    }
  });
  return ok([['n', new Int32(removed)], ...writeErrorsMember(errors)]);
}

/** Removing documents. */
export const deleteCommands: Readonly<Record<string, CommandDefinition>> = {
  delete: { access: 'write', fields: ['deletes', 'ordered', 'let'], run: remove },
};
