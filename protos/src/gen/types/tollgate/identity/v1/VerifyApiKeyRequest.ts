// Original file: tollgate/identity/v1/identity.proto


export interface VerifyApiKeyRequest {
  'apiKey'?: (string);
  /**
   * Answers a refusal with its reason. Without it every refusal is the same UNAUTHENTICATED.
   */
  'explain'?: (boolean);
}

export interface VerifyApiKeyRequest__Output {
  'apiKey': (string);
  /**
   * Answers a refusal with its reason. Without it every refusal is the same UNAUTHENTICATED.
   */
  'explain': (boolean);
}
