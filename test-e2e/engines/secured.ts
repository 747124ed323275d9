import type { Certificate } from '../support/network/certificates';

/** What an engine asks of whoever connects: TLS, and a name with its password. */
export interface Secured {
  readonly certificate: Certificate;
  /** Who signed the certificates. */
  readonly caFile: string;
  readonly user: string;
  readonly password: string;
}
