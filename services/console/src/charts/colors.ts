/** Colours that differ in both schemes and for the colour-blind; none stands for a status. */
const COLORS = [
  'toll.5',
  'indigo.5',
  'orange.5',
  'grape.5',
  'cyan.6',
  'lime.6',
  'pink.4',
  'yellow.6',
  'blue.8',
] as const;

/** The colour of "Other". */
export const REST_COLOR = 'gray.5';

/** The colours of the series of a chart, in their order. */
export type Painter = (names: readonly string[]) => readonly string[];

/**
 * Gives every name a colour when it is first seen, and the same one whenever it is seen again: in
 * another chart, in another order and over another range. Once there are more names than colours,
 * those of one chart still differ.
 */
export function createPainter(): Painter {
  const indexes = new Map<string, number>();
  const indexOf = (name: string) => {
    const index = indexes.get(name) ?? indexes.size;
    indexes.set(name, index);
    return index % COLORS.length;
  };
  return (names) => {
    const taken = new Set<number>();
    return names.map((name) => {
      let index = indexOf(name);
      while (taken.has(index) && taken.size < COLORS.length) index = (index + 1) % COLORS.length;
      taken.add(index);
      return COLORS[index] ?? REST_COLOR;
    });
  };
}

/** The colours of all charts, for as long as the console is open. */
export const paint = createPainter();
