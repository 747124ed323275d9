/**
 * A function that works each object's value out once and remembers it as long as the object lives.
 * The object must not change.
 */
export function memoize<Argument extends object, Value>(
  work: (argument: Argument) => Value,
): (argument: Argument) => Value {
  const known = new WeakMap<Argument, { readonly value: Value }>();
  return (argument) => {
    let found = known.get(argument);
    if (found === undefined) {
      found = { value: work(argument) };
      known.set(argument, found);
    }
    return found.value;
  };
}
