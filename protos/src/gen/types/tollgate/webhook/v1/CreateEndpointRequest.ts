// Original file: tollgate/webhook/v1/webhook.proto


export interface CreateEndpointRequest {
  'accountId'?: (string);
  'url'?: (string);
  'events'?: (string)[];
  'description'?: (string);
  /**
   * May subscribe to events of shared channels.
   */
  'operator'?: (boolean);
  'idempotencyKey'?: (string);
  'bodyDigest'?: (string);
}

export interface CreateEndpointRequest__Output {
  'accountId': (string);
  'url': (string);
  'events': (string)[];
  'description': (string);
  /**
   * May subscribe to events of shared channels.
   */
  'operator': (boolean);
  'idempotencyKey': (string);
  'bodyDigest': (string);
}
