import { formatCount } from '../format/quantity';

/** What a plan, the terms of an account and a key may limit. */
export const LIMIT_NAMES = [
  'requests_per_minute',
  'requests_per_day',
  'concurrent_requests',
] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];
export const LIMIT_LABELS: Readonly<Record<LimitName, string>> = {
  requests_per_minute: 'Requests a minute',
  requests_per_day: 'Requests a day',
  concurrent_requests: 'Requests at once',
};
/**
 * The limits as a form holds them. What an empty one means, each form's placeholder says: as the plan
 * has it (a key, the terms of an account), or no limit at all (a plan).
 */
export type LimitsDraft = Record<LimitName, string>;

/** A value for each limit, by its name. */
export function byLimit<Value>(fieldOf: (name: LimitName) => Value) {
  const values = LIMIT_NAMES.map((name) => [name, fieldOf(name)]);
  return Object.fromEntries(values) as Record<LimitName, Value>;
}

/** `60 requests a minute, no limit of requests at once` (null); an undefined one is left out. */
export function describeLimits(
  limits: Partial<Record<LimitName, number | null | undefined>>,
): string {
  const told = LIMIT_NAMES.flatMap((name) => {
    const limit = limits[name];
    if (limit === undefined) return [];
    const value = limit === null ? 'no limit of' : formatCount(limit);
    return [`${value} ${LIMIT_LABELS[name].toLowerCase()}`];
  });
  return told.join(', ');
}

/** Stands in a form for no limit at all. */
export const NO_LIMIT = 'none';

/** A limit as the API has it: undefined when it was left empty, null for no limit. */
export function toLimit(text: string): number | null | undefined {
  const value = text.trim();
  if (value === '') return undefined;
  return value === NO_LIMIT ? null : Number(value);
}

export function fromLimit(limit: number | null | undefined): string {
  if (limit === undefined) return '';
  return limit === null ? NO_LIMIT : String(limit);
}

/** The time of a date field as the API writes times; null where none was given. */
export function toIsoTime(value: string): string | null {
  return value === '' ? null : new Date(value).toISOString();
}

/** The fields of `after` that differ from `before`: all that a change sends. */
export function changedFields<Body extends object>(before: Body, after: Body): Partial<Body> {
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Body]);
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<Body>;
}
