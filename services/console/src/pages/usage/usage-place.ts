/** What usage is split by. */
export const DIMENSIONS = ['model', 'key', 'user', 'status'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** The requests behind a row of the usage; a list of requests knows no users. */
export function placeOfPart(dimension: Dimension, value: string | undefined): string | undefined {
  if (value === undefined || value === '' || dimension === 'user') return undefined;
  return `/requests?${dimension}=${encodeURIComponent(value)}`;
}
