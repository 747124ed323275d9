import { createPainter } from './colors';

test('a name keeps its colour in another chart, order and range', () => {
  const paint = createPainter();
  const [small, large] = paint(['small', 'large']);
  expect(small).not.toBe(large);
  expect(paint(['large', 'new', 'small'])).toEqual([large, expect.anything(), small]);
  expect(paint(['small'])).toEqual([small]);
});

test('series of one chart differ, however many names there have been', () => {
  const paint = createPainter();
  const names = Array.from({ length: 30 }, (_, index) => `model-${index}`);
  paint(names);
  const one = paint(['model-0', 'model-9', 'model-18', 'model-27', 'model-1']);
  expect(new Set(one).size).toBe(5);
});
