import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { REJECTION_REASONS } from '@tollgate/core';
import {
  type DescribedRequest,
  describeRequest,
} from '../../../../services/all-in-one/src/commands/product/describe-request';
import { timedOut } from '../../../../services/completion/src/vendors/protocol/failures';
import { EgressFault, type FailurePhase, toAppFailure } from '../../../egress/src/failure';

/**
 * `tollgate request` finds out from the text of a failed attempt what became of it. Each text is made
 * here by the code that makes it in a running product: a test fails when either side is reworded.
 */
function lineOf(reason: string): string {
  const story: DescribedRequest = {
    status: 'failed',
    error_code: 'UPSTREAM_ERROR',
    requested_model: 'small',
    failed_attempts: [{ channel_id: 'first', reason }],
    now: null,
  };
  return describeRequest(story);
}

const ORIGIN = 'http://127.0.0.1:9';
const resetIn = (phase: FailurePhase) =>
  toAppFailure(new Error('other side closed'), phase, 'reset', ORIGIN).message;

test('a vendor that broke off is told from one that closed before it answered', () => {
  expect(lineOf(resetIn('body'))).toContain('"first": the vendor broke off');
  expect(lineOf(resetIn('sent'))).toContain('the vendor closed the connection before it answered');
});

test('a vendor that nobody listens for refused the connection', async () => {
  const error = await refusedConnection();
  const { message } = toAppFailure(error, 'connect', 'unreachable', ORIGIN);
  expect(lineOf(message)).toContain('"first" refused the connection');
});

test('a bound that passed is told with the way to the bounds of the channel', () => {
  const whole = new EgressFault('total_timeout', 'no answer within 9 ms');
  const messages = [
    toAppFailure(whole, 'sent', 'total_timeout', ORIGIN).message,
    ...(['head', 'first event', 'end'] as const).map(
      (missing) => timedOut(missing, 2000, false).error.message,
    ),
  ];
  for (const message of messages) {
    expect(lineOf(message)).toContain('(its timeouts: tollgate channel show first)');
  }
});

const REFUSAL_OF_CONSOLE = join(
  __dirname,
  '../../../../services/console/src/pages/requests/refusal.tsx',
);

test.each(REJECTION_REASONS)(
  'the command and the console say in the same words that a channel was %s',
  (reason) => {
    const line = describeRequest({
      status: 'refused',
      error_code: 'SERVICE_UNAVAILABLE',
      requested_model: 'small',
      rejected: [{ channel_id: 'first', model: 'small', reason }],
    });
    const [, told] = /small at "first" ([^,]*)/.exec(line) ?? [];
    // The console is compiled with options of its own, so its source is read.
    expect(readFileSync(REFUSAL_OF_CONSOLE, 'utf8')).toContain(`${reason}: 'It ${told}.'`);
  },
);

/** What Node says of a port where nobody listens: one that was just free. */
async function refusedConnection(): Promise<Error> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return new Promise((resolve) => {
    connect(port, '127.0.0.1').once('error', resolve);
  });
}
