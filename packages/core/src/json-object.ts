/** A JSON object as JSON.parse makes it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for objects that are neither arrays nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
