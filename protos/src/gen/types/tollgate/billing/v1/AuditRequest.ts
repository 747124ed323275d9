// Original file: tollgate/billing/v1/billing.proto


export interface AuditRequest {
  /**
   * Empty: every account.
   */
  'accountId'?: (string);
  /**
   * A new audit, as far as it comes within the deadline; otherwise the newest that is kept. One
   * account, and what follows a cursor, is always audited anew.
   */
  'fresh'?: (boolean);
  /**
   * The next_cursor of an answer that was partial: goes on where that one ended.
   */
  'cursor'?: (string);
  /**
   * Only what is kept: NOT_FOUND, and no new audit, where nothing is. Not with the others.
   */
  'keptOnly'?: (boolean);
}

export interface AuditRequest__Output {
  /**
   * Empty: every account.
   */
  'accountId': (string);
  /**
   * A new audit, as far as it comes within the deadline; otherwise the newest that is kept. One
   * account, and what follows a cursor, is always audited anew.
   */
  'fresh': (boolean);
  /**
   * The next_cursor of an answer that was partial: goes on where that one ended.
   */
  'cursor': (string);
  /**
   * Only what is kept: NOT_FOUND, and no new audit, where nothing is. Not with the others.
   */
  'keptOnly': (boolean);
}
