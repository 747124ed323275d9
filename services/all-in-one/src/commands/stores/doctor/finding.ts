/** The result of one check. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'failure' | 'skipped';
  /** The subject of the check, one word or two. */
  readonly subject: string;
  /** The observation, with figures. */
  readonly seen: string;
  /** The remedy; absent when all is well. */
  readonly remedy?: string;
}

export const ok = (subject: string, seen: string): Finding => ({ state: 'ok', subject, seen });

export const skipped = (subject: string, seen: string): Finding => ({
  state: 'skipped',
  subject,
  seen,
});

/** A check of what is stored, in a run that has a store of its own in place of MongoDB. */
export const skippedOfEmbedded = (subject: string): Finding =>
  skipped(subject, 'MONGODB_URI is not set here; an embedded store is not read');

export const warning = (subject: string, seen: string, remedy: string): Finding => ({
  state: 'warning',
  subject,
  seen,
  remedy,
});

export const failure = (subject: string, seen: string, remedy: string): Finding => ({
  state: 'failure',
  subject,
  seen,
  remedy,
});

/** The message of an error and, where that does not repeat it, of what caused it, on one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message.split('\n')[0] ?? '';
  if (!(error.cause instanceof Error)) return message;
  const cause = reasonOf(error.cause);
  return message.endsWith(cause) ? message : `${message}: ${cause}`;
}
