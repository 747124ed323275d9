import { asObject } from '@tollgate/core';

/** The tool call with its arguments as text: some vendors write the object in place of its JSON. */
export function withArgumentText(value: unknown): unknown {
  const call = asObject(value);
  const called = asObject(call?.function);
  const object = asObject(called?.arguments);
  if (call === undefined || called === undefined || object === undefined) return value;
  return { ...call, function: { ...called, arguments: JSON.stringify(object) } };
}
