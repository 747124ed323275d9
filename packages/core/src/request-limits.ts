/**
 * The limits of requests that plans, terms of accounts and keys have. From the name that code and
 * contracts have to the name that bodies and billing's documents have.
 */
export const LIMIT_FIELDS = {
  requestsPerMinute: 'requests_per_minute',
  requestsPerDay: 'requests_per_day',
  concurrentRequests: 'concurrent_requests',
} as const;

export type LimitName = keyof typeof LIMIT_FIELDS;

export const LIMIT_NAMES = Object.keys(LIMIT_FIELDS) as readonly LimitName[];

/** A value for each limit, by its name in code. */
export function eachLimit<Value>(valueFor: (name: LimitName) => Value): Record<LimitName, Value> {
  const values = LIMIT_NAMES.map((name) => [name, valueFor(name)] as const);
  return Object.fromEntries(values) as Record<LimitName, Value>;
}

/** A value for each limit, by its name in bodies. */
export function eachLimitField<Value>(
  valueFor: (name: LimitName) => Value,
): Record<(typeof LIMIT_FIELDS)[LimitName], Value> {
  const values = LIMIT_NAMES.map((name) => [LIMIT_FIELDS[name], valueFor(name)] as const);
  return Object.fromEntries(values) as ReturnType<typeof eachLimitField<Value>>;
}
