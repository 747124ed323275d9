// Original file: tollgate/webhook/v1/webhook.proto


export interface EventList {
  'values'?: (string)[];
}

export interface EventList__Output {
  'values': (string)[];
}
