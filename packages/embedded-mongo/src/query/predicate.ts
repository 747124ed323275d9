import type { FieldPath } from '../values/path';
import type { Value } from '../values/value';

/** How a value is compared; `ne` and `nin` are negations of `eq` and `in`. */
export type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** A condition on the values that a path reaches. */
export type FieldTest =
  | { readonly kind: 'compare'; readonly comparison: Comparison; readonly operand: Value }
  | {
      readonly kind: 'in';
      readonly operands: readonly Value[];
      readonly patterns: readonly Pattern[];
      /** Keys of the operands, when there are too many to compare one by one. */
      readonly keys: ReadonlySet<string> | undefined;
    }
  | { readonly kind: 'not'; readonly tests: readonly FieldTest[] }
  | { readonly kind: 'all'; readonly tests: readonly FieldTest[] }
  | { readonly kind: 'exists'; readonly expected: boolean }
  | { readonly kind: 'size'; readonly size: number }
  | { readonly kind: 'type'; readonly names: ReadonlySet<string> }
  | { readonly kind: 'regex'; readonly pattern: Pattern }
  | { readonly kind: 'elementDocument'; readonly predicate: Predicate }
  | { readonly kind: 'elementValue'; readonly tests: readonly FieldTest[] };

/** A bounded regular expression: as given, and as it is run. */
export interface Pattern {
  readonly source: string;
  readonly options: string;
  readonly expression: RegExp;
}

/** A parsed filter. */
export type Predicate =
  | { readonly kind: 'and' | 'or' | 'nor'; readonly clauses: readonly Predicate[] }
  | {
      readonly kind: 'field';
      readonly name: string;
      readonly path: FieldPath;
      readonly test: FieldTest;
    };
