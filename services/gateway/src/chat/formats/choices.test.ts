import { eventOf } from '../../testing/generated-answers';
import { createEventReader, type ReadCall } from './choices';

const opening = (id: string, name: string, text = '') => ({
  index: 0,
  id,
  function: { name, arguments: text },
});
const more = (text: string, over: object = {}) => ({
  index: 0,
  function: { arguments: text },
  ...over,
});

test('calls begin in the order in which their indexes first come', () => {
  const deltas = [opening('c1', 'a'), { ...opening('c2', 'b', '{2}'), index: 1 }, more('{1}')];
  expect(callsOf(deltas)).toEqual([
    { id: 'c1', name: 'a', arguments: '{1}' },
    { id: 'c2', name: 'b', arguments: '{2}' },
  ]);
});

test.each([
  ['no id', more('}')],
  ['an empty id', opening('', 'a', '}')],
  ['the same id', opening('c1', 'a', '}')],
  ['another id without a name', more('}', { id: 'c2' })],
])('%s under the same index goes on with its call', (_, delta) => {
  const deltas = [opening('c1', 'a', '{'), delta];
  expect(callsOf(deltas)).toEqual([{ id: 'c1', name: 'a', arguments: '{}' }]);
});

test('an id that comes late begins no call', () => {
  const deltas = [opening('', 'a', '{'), opening('c1', 'a', '}')];
  expect(callsOf(deltas)).toEqual([{ id: 'call_req_1_0', name: 'a', arguments: '{}' }]);
});

/** The calls that a stream of these deltas has. */
function callsOf(deltas: readonly object[]): readonly ReadCall[] {
  const read = createEventReader('req_1');
  const calls: ReadCall[] = [];
  for (const step of deltas.flatMap((delta) => read(eventOf({ tool_calls: [delta] })))) {
    if (step.kind === 'call') calls[step.place] = { id: step.id, name: step.name, arguments: '' };
    const call = 'place' in step ? calls[step.place] : undefined;
    if (step.kind !== 'arguments' || call === undefined) continue;
    calls[step.place] = { ...call, arguments: call.arguments + step.text };
  }
  return calls;
}
