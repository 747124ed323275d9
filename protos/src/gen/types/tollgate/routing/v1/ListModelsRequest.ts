// Original file: tollgate/routing/v1/routing.proto


export interface ListModelsRequest {
  /**
   * The account whose own channels count too; empty for shared ones only.
   */
  'accountId'?: (string);
  /**
   * Channel groups that the account may name, besides the default one.
   */
  'grantedGroups'?: (string)[];
  /**
   * Of a model of the catalogue: it alone is answered, with every version of its prices.
   */
  'versionsOf'?: (string);
}

export interface ListModelsRequest__Output {
  /**
   * The account whose own channels count too; empty for shared ones only.
   */
  'accountId': (string);
  /**
   * Channel groups that the account may name, besides the default one.
   */
  'grantedGroups': (string)[];
  /**
   * Of a model of the catalogue: it alone is answered, with every version of its prices.
   */
  'versionsOf': (string);
}
