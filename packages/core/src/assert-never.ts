/** Ends an exhaustive switch: a new variant is a compile error here, and a crash if one slips in. */
export function assertNever(value: never): never {
  throw new Error(`unexpected variant: ${JSON.stringify(value)}`);
}
