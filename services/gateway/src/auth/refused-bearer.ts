import { API_KEY_PREFIX, AppError, type BearerFault } from '@tollgate/core';

/** What is known of a bearer that was refused. Its sender is told nothing of it. */
export interface RefusedBearer {
  readonly fault: BearerFault;
  /** The public part of what was sent, or the preview of the key; empty when there is none. */
  readonly presented: string;
  /** Empty when no key is known by what was sent. */
  readonly accountId: string;
  readonly keyId: string;
}

/** The one 401 of every bearer, with its reason for operators. */
export class BearerRefused extends AppError {
  readonly bearer: RefusedBearer;

  constructor(bearer: RefusedBearer) {
    const { accountId, fault, keyId, presented } = bearer;
    const known = [presented, keyId, accountId].filter((text) => text !== '');
    super('UNAUTHORIZED', { internalMessage: [`refused: ${fault}`, ...known].join(', ') });
    this.bearer = bearer;
  }
}

/** A refusal that says nothing of a key, because none is known. */
export function refuseBearer(fault: BearerFault, header?: string): BearerRefused {
  return new BearerRefused({ fault, presented: publicPartOf(header), accountId: '', keyId: '' });
}

const BEARER_PREFIX = /^bearer +/i;
const PUBLIC_ID = new RegExp(`^${API_KEY_PREFIX}[0-9a-z]{16}(?=_)`);
/** As in the keys of most vendors, such as sk-. */
const VENDOR_PREFIX = /^[a-z]{2,8}[-_]/;

/** What names a key and opens nothing. Of anything else at most the letters before its first dash. */
export function publicPartOf(header = ''): string {
  const text = header.replace(BEARER_PREFIX, '');
  const [known] = PUBLIC_ID.exec(text) ?? VENDOR_PREFIX.exec(text) ?? [];
  return known === undefined ? '' : `${known}…`;
}
