// Original file: tollgate/routing/v1/routing.proto


export interface DiscoverModelsResponse {
  /**
   * The vendor's names; of a long list the first ones.
   */
  'names'?: (string)[];
  /**
   * Absent when there was no answer.
   */
  'httpStatus'?: (number);
  /**
   * Why there is no list, in a sentence; empty when there is one.
   */
  'error'?: (string);
  '_httpStatus'?: "httpStatus";
}

export interface DiscoverModelsResponse__Output {
  /**
   * The vendor's names; of a long list the first ones.
   */
  'names': (string)[];
  /**
   * Absent when there was no answer.
   */
  'httpStatus'?: (number);
  /**
   * Why there is no list, in a sentence; empty when there is one.
   */
  'error': (string);
  '_httpStatus'?: "httpStatus";
}
