import {
  type IdempotentResult,
  type IdempotentWork,
  runIdempotently as runOnce,
} from '@tollgate/idempotency';
import type { Dependencies } from './dependencies';

/** Runs the work once for its key. */
export function runIdempotently<Answer extends object>(
  deps: Pick<Dependencies, 'clock' | 'digester' | 'idempotency' | 'logger'>,
  work: IdempotentWork<Answer>,
): Promise<IdempotentResult<Answer>> {
  // Bodies hold passwords, which a digest without the pepper would let a reader guess.
  const digestRequest = (request: string) => deps.digester.derive('idempotency', request);
  return runOnce({ ...deps, digestRequest }, work);
}
