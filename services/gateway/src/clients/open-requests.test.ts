import { createFakeClock } from '@tollgate/testkit';
import { createByteBudget } from '../limits/byte-budget';
import { completionInput } from '../testing/fake-answers';
import type { StreamOutcome } from './completion-client';
import { CompletionRequest } from './completion-request';
import { OpenRequests } from './open-requests';

function setUp() {
  const clock = createFakeClock();
  const requests = new OpenRequests(clock);
  const open = (afterMs: number) => {
    const outcomes: StreamOutcome[] = [];
    const request = new CompletionRequest({
      input: completionInput(),
      stream: true,
      deadlineMs: clock.monotonicMs() + afterMs,
      receiver: {
        onHead() {},
        onChunk() {},
        onEnd: (outcome) => void outcomes.push(outcome),
        onAnswer() {},
      },
      heldBytesMax: 1000,
      readers: createByteBudget(1000),
      onOver: (each) => requests.remove(each),
    });
    requests.add(request);
    return { outcomes, request };
  };
  return { clock, open, requests };
}

test('each request ends at its own deadline, whatever the order in which they came', async () => {
  const { clock, open, requests } = setUp();
  const late = open(500);
  const soon = open(100);
  const middle = open(300);
  const codes = () =>
    [soon, middle, late].map(({ outcomes: [outcome] }) =>
      outcome?.ok === false ? outcome.error.code : undefined,
    );
  await clock.advance(99);
  expect(codes()).toEqual([undefined, undefined, undefined]);
  await clock.advance(1);
  expect(codes()).toEqual(['UPSTREAM_TIMEOUT', undefined, undefined]);
  await clock.advance(200);
  expect(codes()).toEqual(['UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT', undefined]);
  await clock.advance(200);
  expect(codes()).toEqual(['UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT']);
  expect(requests.size).toBe(0);
  expect(clock.pendingTimers).toBe(0);
});

test('one timer serves a thousand requests, and none when all deadlines have passed', async () => {
  const { clock, open, requests } = setUp();
  const opened = Array.from({ length: 1000 }, (_, index) => open(1000 + index));
  expect(clock.pendingTimers).toBe(1);
  for (const { request } of opened) request.cancel();
  expect(requests.size).toBe(0);
  await clock.advance(3000);
  expect(clock.pendingTimers).toBe(0);
});
