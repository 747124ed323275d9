import { joinPieces, readPieces } from '../../testing/read-pieces';
import { exampleCall } from '../../testing/vendor-call';
import { createCallNumbering } from './call-numbering';
import { createStreamReader } from './stream';

const BOUNDS = { lineBytesMax: 10_000, retryAfterMsMax: 60_000 };

/** The calls that a client has of a stream of these deltas. */
function callsOf(deltas: readonly object[], choice = 0) {
  const events = deltas.map((delta) => {
    const choices = [{ index: choice, delta: { tool_calls: [delta] } }];
    return `data: ${JSON.stringify({ choices })}\n\n`;
  });
  const reader = createStreamReader(BOUNDS, exampleCall({ choices: 2 }));
  return joinPieces(readPieces(reader, [Buffer.from(events.join(''))]), choice).calls;
}

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
const unnumbered = ({ index: _, ...delta }: ReturnType<typeof more>) => delta;

const BOTH = [
  { id: 'c1', name: 'a', arguments: '{1}' },
  { id: 'c2', name: 'b', arguments: '{2}' },
];

test.each([
  ['whole calls', [opening('c1', 'a', '{1}'), opening('c2', 'b', '{2}')]],
  ['calls in parts', [opening('c1', 'a'), more('{1}'), opening('c2', 'b'), more('{2'), more('}')]],
])('another id and name under the same index begin another call: %s', (_, deltas) => {
  expect(callsOf(deltas)).toEqual(BOTH);
  expect(callsOf(deltas, 1)).toEqual(BOTH);
});

test('calls without an index begin with their ids', () => {
  const deltas = [opening('c1', 'a'), more('{1}'), opening('c2', 'b'), more('{2'), more('}')];
  expect(callsOf(deltas.map(unnumbered))).toEqual(BOTH);
});

test('an id in every part begins one call', () => {
  const numbered = createCallNumbering();
  const deltas = [opening('c1', 'a'), opening('c1', 'a'), opening('c2', 'b'), opening('c2', 'b')];
  const indexes = numbered(deltas).map((call) => (call as { index: number }).index);
  expect(indexes).toEqual([0, 0, 1, 1]);
});

test.each([
  ['no id', more('}')],
  ['an empty id', { ...more('}'), id: '' }],
  ['another id without a name', more('}', { id: 'c2' })],
])('%s under the same index goes on with its call', (_, delta) => {
  const calls = callsOf([opening('c1', 'a', '{'), delta]);
  expect(calls).toMatchObject([{ name: 'a', arguments: '{}' }]);
});

test('a name after whole arguments begins a call where there are no ids', () => {
  const deltas = [opening('', 'a', '{"x":'), more('1}'), opening('', 'a', '{"x":2}')];
  expect(callsOf(deltas)).toMatchObject([
    { name: 'a', arguments: '{"x":1}' },
    { name: 'a', arguments: '{"x":2}' },
  ]);
});

test('a name that is repeated before the arguments are whole begins no call', () => {
  const numbered = createCallNumbering();
  const deltas = [
    opening('', 'a'),
    opening('', 'a', '{"x":'),
    opening('', 'a', '1}'),
    opening('', 'a'),
  ];
  const indexes = numbered(deltas).map((call) => (call as { index: number }).index);
  expect(indexes).toEqual([0, 0, 0, 0]);
});

test('an id that comes late begins no call', () => {
  const deltas = [opening('', 'a', '{'), opening('c1', '', '}')];
  expect(callsOf(deltas)).toEqual([{ id: 'c1', name: 'a', arguments: '{}' }]);
});

test('calls whose numbers are right are passed on as they came, in turns too', () => {
  const numbered = createCallNumbering();
  const deltas = [
    opening('c1', 'a'),
    { ...opening('c2', 'b'), index: 1 },
    more('{1}'),
    more('{2}', { index: 1 }),
  ];
  const passed = numbered(deltas);
  for (const [place, delta] of deltas.entries()) expect(passed[place]).toBe(delta);
});
