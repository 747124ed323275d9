// Original file: tollgate/billing/v1/billing.proto


export interface ListCodesRequest {
  /**
   * Empty: of every batch.
   */
  'batchId'?: (string);
  'limit'?: (number);
  'cursor'?: (string);
  /**
   * Those that end so; empty: any.
   */
  'preview'?: (string);
}

export interface ListCodesRequest__Output {
  /**
   * Empty: of every batch.
   */
  'batchId': (string);
  'limit': (number);
  'cursor': (string);
  /**
   * Those that end so; empty: any.
   */
  'preview': (string);
}
