import { CommandError } from '../errors';
import { encodeKey } from '../values/index-key';
import type { Document, Value } from '../values/value';
import { type Accumulator, parseAccumulator } from './accumulators';
import { compileExpression } from './expression';
import type { Expression } from './expression-types';
import type { Transform } from './transform';

/** Most groups that one stage forms. */
const GROUPS_MAX = 1_000_000;

interface Output {
  readonly name: string;
  readonly create: () => Accumulator;
  readonly expression: Expression;
}

interface Group {
  readonly id: Value;
  readonly accumulators: readonly Accumulator[];
}

/** Compiles `$group`; groups come out in the order in which they were first met. */
export function compileGroup(specification: Document): Transform {
  const idSpecification = specification.get('_id');
  if (idSpecification === undefined) {
    throw new CommandError('Location15955', 'a group specification must include an _id');
  }
  const id = compileExpression(idSpecification);
  const outputs = parseOutputs(specification);
  return function* (input) {
    const groups = new Map<string, Group>();
    for (const document of input) addTo(groups, outputs, id(document) ?? null, document);
    for (const group of groups.values()) yield toDocument(group, outputs);
  };
}

function parseOutputs(specification: Document): readonly Output[] {
  const outputs: Output[] = [];
  for (const [name, value] of specification) {
    if (name === '_id') continue;
    if (name.includes('.') || name.startsWith('$')) {
      throw new CommandError('Location40234', `the field name '${name}' is not allowed in $group`);
    }
    const { create, operand } = parseAccumulator(name, value);
    outputs.push({ name, create, expression: compileExpression(operand) });
  }
  return outputs;
}

function addTo(
  groups: Map<string, Group>,
  outputs: readonly Output[],
  id: Value,
  document: Document,
): void {
  const key = encodeKey(id).toString('latin1');
  let group = groups.get(key);
  if (group === undefined) {
    if (groups.size >= GROUPS_MAX) {
      throw new CommandError('ExceededMemoryLimit', `$group forms more than ${GROUPS_MAX} groups`);
    }
    group = { id, accumulators: outputs.map((output) => output.create()) };
    groups.set(key, group);
  }
  for (const [at, output] of outputs.entries()) {
    group.accumulators[at]?.add(output.expression(document));
  }
}

function toDocument(group: Group, outputs: readonly Output[]): Document {
  const document: Document = new Map([['_id', group.id]]);
  for (const [at, output] of outputs.entries()) {
    document.set(output.name, group.accumulators[at]?.result() ?? null);
  }
  return document;
}
