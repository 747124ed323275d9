import type { Document, Value } from '../values/value';

/** A compiled expression: the value for one document, undefined when it is missing. */
export type Expression = (document: Document) => Value | undefined;

/** An operator over evaluated operands. */
export interface Operator {
  /** Fewest and most operands. */
  readonly operands: readonly [number, number];
  readonly apply: (operands: readonly (Value | undefined)[]) => Value;
}
