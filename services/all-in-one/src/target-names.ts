/** Every service that a process can run, in the order they are listed to people. */
export const TARGET_NAMES = [
  'gateway',
  'completion',
  'routing',
  'billing',
  'identity',
  'webhook',
  'stats',
  'console',
  'simulator',
] as const;

export type TargetName = (typeof TARGET_NAMES)[number];
