// Original file: tollgate/routing/v1/routing.proto


export interface DeleteModelRequest {
  'name'?: (string);
}

export interface DeleteModelRequest__Output {
  'name': (string);
}
