import type { IncomingMessage } from 'node:http';
import { AppError } from '@tollgate/core';

/** What is wrong with the headers of any request, whatever it asks for; undefined for good ones. */
export function findHeadFault(request: IncomingMessage): AppError | undefined {
  const hosts = countHosts(request.rawHeaders);
  if (hosts > 1) return refusal('Host', 'is given twice.');
  if (hosts === 0 && request.httpVersion !== '1.0') return refusal('Host', 'is required.');
  const { expect } = request.headers;
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  return refusal('Expect', 'nothing else than 100-continue is supported.');
}

/** Node keeps the first of two and says nothing; a proxy may have believed the second. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === HOST_LENGTH && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

const HOST_LENGTH = 4;

function refusal(param: string, rule: string): AppError {
  return new AppError('VALIDATION_ERROR', { publicMessage: `${param}: ${rule}`, param });
}
