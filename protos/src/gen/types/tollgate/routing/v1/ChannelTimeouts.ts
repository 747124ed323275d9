// Original file: tollgate/routing/v1/routing.proto


export interface ChannelTimeouts {
  'connectMs'?: (number);
  'firstTokenMs'?: (number);
  'idleMs'?: (number);
  'totalMs'?: (number);
}

export interface ChannelTimeouts__Output {
  'connectMs': (number);
  'firstTokenMs': (number);
  'idleMs': (number);
  'totalMs': (number);
}
