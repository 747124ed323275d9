import { CommandError } from '../errors';
import { parsePath } from '../values/path';
import { type Document, isDocument, type Value } from '../values/value';
import { ARITHMETIC } from './arithmetic-operators';
import { CONVERSIONS } from './conversion-operators';
import { compileDateTrunc } from './date-trunc';
import type { Expression, Operator } from './expression-types';
import { compileCondition, LOGIC } from './logic-operators';

const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  Object.entries({ ...ARITHMETIC, ...LOGIC, ...CONVERSIONS }),
);

const EXPRESSION_DEPTH_MAX = 50;

/** Compiles an expression; operators and variables outside the closed list are errors. */
export function compileExpression(value: Value, depth = 0): Expression {
  if (depth > EXPRESSION_DEPTH_MAX) {
    throw new CommandError('Overflow', `an expression is nested deeper than ${depth - 1}`);
  }
  if (typeof value === 'string' && value.startsWith('$')) return compileFieldPath(value);
  if (Array.isArray(value)) {
    const members = value.map((member) => compileExpression(member, depth + 1));
    return (document) => members.map((member) => member(document) ?? null);
  }
  if (!isDocument(value)) return () => value;
  const [first] = value;
  if (first === undefined || !first[0].startsWith('$')) return compileObject(value, depth);
  if (value.size > 1) {
    throw new CommandError(
      'FailedToParse',
      `an expression specification must contain exactly one field, found ${value.size}`,
    );
  }
  return compileOperator(first[0], first[1], depth);
}

function compileObject(value: Document, depth: number): Expression {
  const members = [...value].map(([name, member]) => {
    if (name.includes('.') || name.startsWith('$')) {
      throw new CommandError('FailedToParse', `the field name '${name}' is not allowed here`);
    }
    return { name, expression: compileExpression(member, depth + 1) };
  });
  return (document) => {
    const result: Document = new Map();
    for (const { name, expression } of members) {
      const member = expression(document);
      if (member !== undefined) result.set(name, member);
    }
    return result;
  };
}

function compileFieldPath(text: string): Expression {
  if (text.startsWith('$$')) {
    const [variable, ...rest] = text.slice(2).split('.');
    if (variable !== 'ROOT') {
      throw new CommandError('Location17276', `Use of undefined variable: ${variable}`);
    }
    return rest.length === 0 ? (document) => document : compileFieldPath(`$${rest.join('.')}`);
  }
  const path = parsePath(text.slice(1));
  return (document) => readPath(document, path, 0);
}

/** Arrays on the way are read element by element, as MongoDB's expressions do. */
function readPath(
  value: Value | undefined,
  path: readonly string[],
  at: number,
): Value | undefined {
  if (at === path.length) return value;
  if (isDocument(value)) return readPath(value.get(path[at] ?? ''), path, at + 1);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((element) => {
    const found = isDocument(element) ? readPath(element, path, at) : undefined;
    return found === undefined ? [] : [found];
  });
}

function compileOperator(name: string, operand: Value, depth: number): Expression {
  const compile = (value: Value) => compileExpression(value, depth + 1);
  if (name === '$literal') return () => operand;
  if (name === '$cond') return compileCondition(operand, compile);
  if (name === '$dateTrunc') return compileDateTrunc(operand, compile);
  const operator = OPERATORS.get(name);
  if (operator === undefined) {
    throw new CommandError('InvalidPipelineOperator', `Unrecognized expression '${name}'`);
  }
  const operands = (Array.isArray(operand) ? operand : [operand]).map(compile);
  const [least, most] = operator.operands;
  if (operands.length < least || operands.length > most) {
    throw new CommandError('Location16020', `Expression ${name} got ${operands.length} operands`);
  }
  return (document) => operator.apply(operands.map((expression) => expression(document)));
}
