import { AppError, type Clock } from '@tollgate/core';
import type { HttpExchange } from '../../http/exchange';

// RFC 9745 wants the time of the deprecation in Unix seconds: 2026-01-01, before any release.
const DEPRECATED_SINCE = '@1767225600';

/** What is said on the paths before v1, and when they end. */
export interface LegacyGate {
  /** Adds the headers of a legacy path; answers one that is past its date with 404, and says true. */
  readonly apply: (exchange: HttpExchange, v1Path: string) => boolean;
}

/** `sunset` is a date such as 2026-06-01; the paths end as that day begins, UTC. */
export function createLegacyGate(sunset: string, clock: Clock): LegacyGate {
  const sunsetMs = Date.parse(`${sunset}T00:00:00.000Z`);
  const sunsetHttpDate = new Date(sunsetMs).toUTCString();
  return {
    apply(exchange, v1Path) {
      Object.assign(exchange.headers, {
        'X-Deprecated': 'true',
        'X-Deprecated-Message': `This endpoint is deprecated. Use ${v1Path} instead.`,
        'X-Sunset-Date': sunset,
        Deprecation: DEPRECATED_SINCE,
        Sunset: sunsetHttpDate,
        Link: `<${v1Path}>; rel="successor-version"`,
      });
      if (clock.now() < sunsetMs) return false;
      const publicMessage = `This path was removed on ${sunset}. Use ${v1Path} instead.`;
      exchange.sendFailure(new AppError('NOT_FOUND', { publicMessage }));
      return true;
    },
  };
}
