/** Changes of an address by their names; undefined takes a name out. */
export type Changes = Readonly<Record<string, string | undefined>>;

/** The address with the changes; pure, so that the same changes give the same address. */
export function withChanges(search: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** The value when it is allowed, and otherwise what an address without it means. */
export function oneOf<Value extends string>(
  value: string | undefined,
  allowed: readonly Value[],
  initial: Value,
): Value {
  return allowed.find((candidate) => candidate === value) ?? initial;
}
