import { MinKey } from 'bson';
import { CommandError } from '../errors';
import { compareValues, valuesEqual } from '../values/compare';
import { isDocument, isTruthy, typeName, type Value } from '../values/value';
import type { Expression, Operator } from './expression-types';

type Operands = readonly (Value | undefined)[];

const MANY = Number.POSITIVE_INFINITY;

/** Expressions tell a missing field from null: it is below everything but MinKey. */
function compareOperands([left, right]: Operands): number {
  if (left !== undefined && right !== undefined) return compareValues(left, right);
  if (left === right) return 0;
  const missingIsRight = right === undefined;
  const present = missingIsRight ? left : right;
  const order = present instanceof MinKey ? -1 : 1;
  return missingIsRight ? order : -order;
}

function comparison(holds: (order: number) => boolean): Operator {
  return { operands: [2, 2], apply: (operands) => holds(compareOperands(operands)) };
}

function isIn([value, list]: Operands): Value {
  if (!Array.isArray(list)) {
    throw new CommandError(
      'Location40081',
      `$in requires an array as a second argument, found: ${typeName(list)}`,
    );
  }
  return value !== undefined && list.some((member) => valuesEqual(member, value));
}

/** Truth, comparison and choice over evaluated operands. */
export const LOGIC: Readonly<Record<string, Operator>> = {
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $and: { operands: [0, MANY], apply: (operands) => operands.every(isTruthy) },
  $or: { operands: [0, MANY], apply: (operands) => operands.some(isTruthy) },
  $not: { operands: [1, 1], apply: ([value]) => !isTruthy(value) },
  $in: { operands: [2, 2], apply: isIn },
  $ifNull: {
    operands: [2, MANY],
    apply: (operands) =>
      operands.find((value) => value !== undefined && value !== null) ?? operands.at(-1) ?? null,
  },
};

/** `$cond` evaluates only the branch it takes; it comes as an array or with named members. */
export function compileCondition(
  operand: Value,
  compile: (value: Value) => Expression,
): Expression {
  const [condition, then, otherwise] = conditionParts(operand).map(compile);
  if (condition === undefined || then === undefined || otherwise === undefined) {
    throw new CommandError('Location16020', 'Expression $cond takes exactly 3 operands');
  }
  return (document) => (isTruthy(condition(document)) ? then : otherwise)(document);
}

function conditionParts(operand: Value): readonly Value[] {
  if (Array.isArray(operand)) return operand.length === 3 ? operand : [];
  if (!isDocument(operand)) return [];
  for (const name of operand.keys()) {
    if (name !== 'if' && name !== 'then' && name !== 'else') {
      throw new CommandError('BadValue', `Unrecognized parameter to $cond: ${name}`);
    }
  }
  return ['if', 'then', 'else'].flatMap((name) => {
    const part = operand.get(name);
    return part === undefined ? [] : [part];
  });
}
