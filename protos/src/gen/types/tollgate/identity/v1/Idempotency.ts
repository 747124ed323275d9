// Original file: tollgate/identity/v1/identity.proto


/**
 * Idempotency of a management POST; the key is empty when the header was absent.
 */
export interface Idempotency {
  'key'?: (string);
  /**
   * SHA-256 of the canonical body, hex.
   */
  'bodyDigest'?: (string);
}

/**
 * Idempotency of a management POST; the key is empty when the header was absent.
 */
export interface Idempotency__Output {
  'key': (string);
  /**
   * SHA-256 of the canonical body, hex.
   */
  'bodyDigest': (string);
}
