/** Every process that may call or be called; the name on its certificate or in its token. */
export const SERVICE_NAMES = [
  'gateway',
  'completion',
  'routing',
  'billing',
  'identity',
  'webhook',
  'stats',
  'console',
] as const;

/** One of the closed list of callers. */
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Narrows a name from a token or a certificate. */
export function isServiceName(text: string): text is ServiceName {
  return (SERVICE_NAMES as readonly string[]).includes(text);
}
