import { MaxKey, MinKey } from 'bson';
import { compareValues, valuesEqual } from '../values/compare';
import { typeRank, type Value } from '../values/value';
import type { FieldTest, Predicate } from './predicate';

/** One end of a range. */
export interface Bound {
  readonly value: Value;
  readonly inclusive: boolean;
}

/** What a filter demands of one field, as far as an index can use it. */
export interface Constraint {
  /** The field equals one of these. */
  equals?: readonly Value[];
  lower?: Bound;
  upper?: Bound;
}

/** Constraints by field name. A filter may demand more; every match is still tested in full. */
export type Constraints = ReadonlyMap<string, Constraint>;

/** The constraints that every match of the filter satisfies. */
export function constraintsOf(predicate: Predicate): Constraints {
  const constraints = new Map<string, Constraint>();
  collect(constraints, predicate);
  return constraints;
}

function collect(constraints: Map<string, Constraint>, predicate: Predicate): void {
  if (predicate.kind === 'and') {
    for (const clause of predicate.clauses) collect(constraints, clause);
  }
  if (predicate.kind !== 'field') return;
  const constraint = constraints.get(predicate.name) ?? {};
  narrow(constraint, predicate.test);
  if (Object.keys(constraint).length > 0) constraints.set(predicate.name, constraint);
}

/** Arrays match element by element too, and null also means missing: neither is one key range. */
function isPlain(value: Value): boolean {
  return !Array.isArray(value) && !(value instanceof MinKey) && !(value instanceof MaxKey);
}

function narrow(constraint: Constraint, test: FieldTest): void {
  if (test.kind === 'in') {
    const usable = test.patterns.length === 0 && test.operands.every(isPlain);
    if (usable) constraint.equals ??= test.operands;
    return;
  }
  if (test.kind !== 'compare' || !isPlain(test.operand)) return;
  const value = test.operand;
  switch (test.comparison) {
    case 'eq':
      constraint.equals = [value];
      return;
    case 'gt':
    case 'gte':
      if (value !== null) constraint.lower ??= { value, inclusive: test.comparison === 'gte' };
      return;
    case 'lt':
    case 'lte':
      if (value !== null) constraint.upper ??= { value, inclusive: test.comparison === 'lte' };
  }
}

/** True when the constraint leaves out null and missing. */
export function excludesNull(constraint: Constraint | undefined): boolean {
  if (constraint === undefined) return false;
  if (constraint.equals !== undefined) return constraint.equals.every((value) => value !== null);
  return constraint.lower !== undefined || constraint.upper !== undefined;
}

/** True when every document that meets the constraints satisfies the partial filter. */
export function implies(constraints: Constraints, partial: Predicate): boolean {
  if (partial.kind === 'and') {
    return partial.clauses.every((clause) => implies(constraints, clause));
  }
  if (partial.kind !== 'field') return false;
  const constraint = constraints.get(partial.name);
  if (constraint === undefined) return false;
  const { test } = partial;
  if (test.kind === 'exists') return test.expected && excludesNull(constraint);
  const values = constraint.equals;
  if (values === undefined) return false;
  if (test.kind === 'in') {
    return values.every((value) => test.operands.some((operand) => valuesEqual(value, operand)));
  }
  return test.kind === 'compare' && values.every((value) => satisfies(value, test));
}

function satisfies(value: Value, test: Extract<FieldTest, { readonly kind: 'compare' }>): boolean {
  if (typeRank(value) !== typeRank(test.operand)) return false;
  const order = compareValues(value, test.operand);
  switch (test.comparison) {
    case 'eq':
      return order === 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
  }
}
