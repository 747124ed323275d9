import { AppError, invalid, MINUTE_MS, REDIRECT_LENGTH_MAX } from '@tollgate/core';
import type { LinkedIdentity } from './user';

/** The person as an identity provider vouches for it. */
export interface OAuthProfile extends LinkedIdentity {
  /** Absent unless the provider says that it verified the email. */
  readonly verifiedEmail: string | undefined;
  readonly displayName: string;
}

/** A login that was started and not yet completed. Its secrets are derived, not kept. */
export interface OAuthState {
  /** SHA-256 of the state. */
  readonly digest: string;
  readonly providerId: string;
  readonly redirectTo: string;
  readonly callbackUrl: string;
  /** SHA-256 of the browser's binding; empty when a JSON client started it. */
  readonly bindingDigest: string;
  /** SHA-256 of the code verifier, hex: tells under which pepper it was derived. */
  readonly verifierDigest: string;
  readonly expiresAtMs: number;
}

/** A completed login that waits to be exchanged for a session. */
export interface OAuthCode {
  /** SHA-256 of the code. */
  readonly digest: string;
  readonly userId: string;
  /** SHA-256 of what ties the login to one browser. */
  readonly bindingDigest: string;
  readonly expiresAtMs: number;
}

export const OAUTH_STATE_LIFETIME_MS = 10 * MINUTE_MS;
export const OAUTH_CODE_LIFETIME_MS = MINUTE_MS;

const CALLBACK_LENGTH_MAX = 512;

/** A path on our own origin; anything that a browser could read as another origin is refused. */
export function parseRedirectTo(text: string): string {
  if (text === '') return '/';
  const safe = /^\/(?![/\\])[\u0021-\u007e]*$/.test(text) && !text.includes('\\');
  if (!safe || text.length > REDIRECT_LENGTH_MAX) {
    throw invalid('redirect_to', 'redirect_to must be a path of this service.');
  }
  return text;
}

/** The gateway's own callback address, without query and fragment. */
export function parseCallbackUrl(text: string): string {
  const url = URL.parse(text);
  const web = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !web || text.length > CALLBACK_LENGTH_MAX || url.username !== '') {
    throw invalid('callback_url', 'callback_url must be an http or https address.');
  }
  return `${url.origin}${url.pathname}`;
}

/** A provider that cannot be reached or does not answer as it should. */
export function providerFailure(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('UPSTREAM_ERROR', {
    publicMessage: 'The login provider failed to answer.',
    internalMessage: cause instanceof Error ? cause.message : String(cause),
    cause,
  });
}

/** A login that the person or the provider refused, or an answer that does not belong to it. */
export function loginRefused(cause?: unknown): AppError {
  return new AppError('UNAUTHORIZED', {
    publicMessage: 'The login at the provider was not completed. Please start again.',
    internalMessage: cause instanceof Error ? cause.message : 'the provider refused the login',
    cause,
  });
}
