// Original file: tollgate/routing/v1/routing.proto


export interface ListModelsRequest {
  /**
   * The account whose own channels count too; empty for shared ones only.
   */
  'accountId'?: (string);
}

export interface ListModelsRequest__Output {
  /**
   * The account whose own channels count too; empty for shared ones only.
   */
  'accountId': (string);
}
