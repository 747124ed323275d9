// Original file: tollgate/billing/v1/billing.proto


export interface BeginAnswerRequest {
  'accountId'?: (string);
  /**
   * Whose answer it is: another key of the account neither gets it nor collides with it.
   */
  'keyId'?: (string);
  /**
   * Empty when the request is not recognised again, only its answer fetched by its id.
   */
  'idempotencyKey'?: (string);
  /**
   * The same for equal requests.
   */
  'requestDigest'?: (string);
  'requestId'?: (string);
  /**
   * How long it may take; afterwards nobody makes its answer any more.
   */
  'runningMsMax'?: (number);
  /**
   * What the gateway needs to write the answer again; kept sealed and not looked at.
   */
  'writing'?: (Buffer | Uint8Array | string);
}

export interface BeginAnswerRequest__Output {
  'accountId': (string);
  /**
   * Whose answer it is: another key of the account neither gets it nor collides with it.
   */
  'keyId': (string);
  /**
   * Empty when the request is not recognised again, only its answer fetched by its id.
   */
  'idempotencyKey': (string);
  /**
   * The same for equal requests.
   */
  'requestDigest': (string);
  'requestId': (string);
  /**
   * How long it may take; afterwards nobody makes its answer any more.
   */
  'runningMsMax': (number);
  /**
   * What the gateway needs to write the answer again; kept sealed and not looked at.
   */
  'writing': (Buffer);
}
