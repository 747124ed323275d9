import { AppError, type Clock } from '@tollgate/core';
import type { HttpExchange } from '../http/exchange';

// RFC 9745 wants the time of the deprecation in Unix seconds: 2026-01-01, before any release.
const DEPRECATED_SINCE = '@1767225600';

/** The paths before v1: what every answer of theirs says, and when they end. */
export interface LegacyGate {
  /** Headers of every answer on a legacy path whose successor is `v1Path`. */
  headersFor(v1Path: string): Readonly<Record<string, string>>;
  /** Throws NOT_FOUND that names the successor once the sunset date has begun, UTC. */
  requireBeforeSunset(v1Path: string): void;
}

/** `sunset` is a date such as 2026-06-01; the paths end as that day begins. */
export function createLegacyGate(sunset: string, clock: Clock): LegacyGate {
  const sunsetMs = Date.parse(`${sunset}T00:00:00.000Z`);
  const sunsetHttpDate = new Date(sunsetMs).toUTCString();
  return {
    headersFor: (v1Path) => ({
      'X-Deprecated': 'true',
      'X-Deprecated-Message': `This endpoint is deprecated. Use ${v1Path} instead.`,
      'X-Sunset-Date': sunset,
      Deprecation: DEPRECATED_SINCE,
      Sunset: sunsetHttpDate,
      Link: `<${v1Path}>; rel="successor-version"`,
    }),
    requireBeforeSunset(v1Path) {
      if (clock.now() < sunsetMs) return;
      throw new AppError('NOT_FOUND', {
        publicMessage: `This path was removed on ${sunset}. Use ${v1Path} instead.`,
      });
    },
  };
}

/** Adds the headers of a legacy path; true when the path is past its date and was answered. */
export function refuseAfterSunset(
  legacy: LegacyGate,
  exchange: HttpExchange,
  v1Path: string,
): boolean {
  Object.assign(exchange.headers, legacy.headersFor(v1Path));
  try {
    legacy.requireBeforeSunset(v1Path);
    return false;
  } catch (error) {
    exchange.sendFailure(error as AppError);
    return true;
  }
}
