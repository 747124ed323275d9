// Original file: tollgate/routing/v1/routing.proto


export interface ListModelsRequest {
  'accountId'?: (string);
}

export interface ListModelsRequest__Output {
  'accountId': (string);
}
