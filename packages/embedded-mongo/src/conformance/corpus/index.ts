import type { ConformanceCase } from '../conformance-case';
import { indexCases } from './indexes';
import { numberCases } from './numbers';
import { queryCases } from './queries';
import { updateCases } from './updates';
import { writeCases } from './writes';

/** Every case, in the order of the files. */
export const CONFORMANCE_CORPUS: readonly ConformanceCase[] = [
  ...queryCases,
  ...numberCases,
  ...updateCases,
  ...writeCases,
  ...indexCases,
];
