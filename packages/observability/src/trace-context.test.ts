import { nextTraceparent, parseTraceparent } from './index';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('a valid header is read', () => {
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({
    traceId: TRACE,
    spanId: SPAN,
    sampled: true,
  });
});

test('a header of a later version may carry more parts', () => {
  expect(parseTraceparent(`01-${TRACE}-${SPAN}-00-more`)?.sampled).toBe(false);
});

test.each([
  undefined,
  '',
  'nonsense',
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
])('the malformed header %p starts a new trace', (header) => {
  expect(parseTraceparent(header)).toBeUndefined();
  expect(nextTraceparent(header)).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
});

test('the next hop gets the same trace, the same sampling and a span of its own', () => {
  const next = parseTraceparent(nextTraceparent(`00-${TRACE}-${SPAN}-01`));
  expect(next).toMatchObject({ traceId: TRACE, sampled: true });
  expect(next?.spanId).not.toBe(SPAN);
});

test('a thousand traces have a thousand ids', () => {
  const ids = Array.from({ length: 1000 }, () => parseTraceparent(nextTraceparent(undefined)));
  expect(new Set(ids.map((context) => context?.traceId)).size).toBe(1000);
});
