import type { ConformanceCase } from '../conformance-case';
import { aggregationCases } from './aggregation';
import { arrayQueryCases } from './array-queries';
import { arrayUpdateCases } from './array-updates';
import { expressionCases } from './expressions';
import { indexCases } from './indexes';
import { numberCases } from './numbers';
import { projectionCases } from './projections';
import { queryCases } from './queries';
import { updateCases } from './updates';
import { writeCases } from './writes';

/** Every case, in the order of the files. */
export const CONFORMANCE_CORPUS: readonly ConformanceCase[] = [
  ...queryCases,
  ...arrayQueryCases,
  ...projectionCases,
  ...numberCases,
  ...updateCases,
  ...arrayUpdateCases,
  ...writeCases,
  ...indexCases,
  ...aggregationCases,
  ...expressionCases,
];
