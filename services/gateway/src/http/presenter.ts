import { assertNever } from '@tollgate/core';

/**
 * How a success is dressed: v1's envelope, the plain object that unmodified client libraries read,
 * or the bare payload of the paths before v1. Failures have one body everywhere.
 */
export type PresenterName = 'envelope' | 'plain' | 'bare';

/** Text around a finished JSON payload. */
export interface Frame {
  readonly before: string;
  readonly after: string;
}

const ENVELOPE: Frame = {
  before: '{"success":true,"data":',
  after: ',"error":null,"message":null}',
};
const NOTHING: Frame = { before: '', after: '' };

/** The text that goes around a payload whose bytes are already JSON. */
export function frameOf(presenter: PresenterName): Frame {
  switch (presenter) {
    case 'envelope':
      return ENVELOPE;
    case 'plain':
    case 'bare':
      return NOTHING;
    default:
      return assertNever(presenter);
  }
}

/** The whole body of a success. */
export function presentSuccess(presenter: PresenterName, data: unknown): string {
  const frame = frameOf(presenter);
  return `${frame.before}${JSON.stringify(data)}${frame.after}`;
}
