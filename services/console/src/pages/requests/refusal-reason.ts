import { formatName } from '../../format/names';

/** Where the code's own words leave open what is meant. */
const REASONS: Readonly<Record<string, string>> = {
  INSUFFICIENT_BALANCE: 'balance used up',
  KEY_BUDGET_EXCEEDED: "key's budget used up",
  COST_LIMIT: 'dearer than the client allows',
  UNAUTHORIZED: 'API key not valid',
  FORBIDDEN: 'not allowed for the key or the account',
  NOT_FOUND: 'no such model or path',
  RATE_LIMIT_EXCEEDED: 'rate limit',
  VALIDATION_ERROR: 'request not valid',
  SERVICE_UNAVAILABLE: 'no channel could serve it',
};

/** Why a request was refused before a vendor was asked, within a sentence. */
export function nameReason(code: string): string {
  return REASONS[code] ?? formatName(code.toLowerCase()).toLowerCase();
}
