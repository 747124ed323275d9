import { countSteps } from './__fixtures__/count-steps';
import { eventOf } from './__fixtures__/generated-answers';
import { createEventReader, type StreamStep } from './choices';

test('what belongs to the last call is found without a walk over all calls', () => {
  const read = createEventReader('req_1');
  const calls = Array.from({ length: 500 }, (_, place) => ({ id: `c${place}` }));
  for (const call of calls) read(eventOf({ tool_calls: [call] }));
  const more = eventOf({ tool_calls: [{ function: { arguments: '1' } }] });
  const found: StreamStep[] = [];
  const steps = countSteps(() => {
    for (let count = 0; count < 500; count += 1) found.push(read(more)[0] as StreamStep);
  });
  expect(new Set(found.map((step) => 'place' in step && step.place))).toEqual(new Set([499]));
  expect(steps).toBeLessThan(calls.length * 10);
});
