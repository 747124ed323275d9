// Original file: tollgate/routing/v1/routing.proto

import type { ChannelType as _tollgate_routing_v1_ChannelType, ChannelType__Output as _tollgate_routing_v1_ChannelType__Output } from '../../../tollgate/routing/v1/ChannelType';
import type { ChannelModel as _tollgate_routing_v1_ChannelModel, ChannelModel__Output as _tollgate_routing_v1_ChannelModel__Output } from '../../../tollgate/routing/v1/ChannelModel';
import type { ChannelTimeouts as _tollgate_routing_v1_ChannelTimeouts, ChannelTimeouts__Output as _tollgate_routing_v1_ChannelTimeouts__Output } from '../../../tollgate/routing/v1/ChannelTimeouts';
import type { ChannelHealth as _tollgate_routing_v1_ChannelHealth, ChannelHealth__Output as _tollgate_routing_v1_ChannelHealth__Output } from '../../../tollgate/routing/v1/ChannelHealth';

/**
 * A channel as completion needs it. The credential is in clear: this message only travels between
 * authenticated services and is never logged.
 */
export interface RouteChannel {
  'id'?: (string);
  'name'?: (string);
  'type'?: (_tollgate_routing_v1_ChannelType);
  'baseUrl'?: (string);
  'credential'?: (string);
  'models'?: (_tollgate_routing_v1_ChannelModel)[];
  'groups'?: (string)[];
  'ownerAccountId'?: (string);
  'priority'?: (number);
  'weight'?: (number);
  'maxConcurrency'?: (number);
  'timeouts'?: (_tollgate_routing_v1_ChannelTimeouts | null);
  'capabilities'?: (string)[];
  'health'?: (_tollgate_routing_v1_ChannelHealth | null);
}

/**
 * A channel as completion needs it. The credential is in clear: this message only travels between
 * authenticated services and is never logged.
 */
export interface RouteChannel__Output {
  'id': (string);
  'name': (string);
  'type': (_tollgate_routing_v1_ChannelType__Output);
  'baseUrl': (string);
  'credential': (string);
  'models': (_tollgate_routing_v1_ChannelModel__Output)[];
  'groups': (string)[];
  'ownerAccountId': (string);
  'priority': (number);
  'weight': (number);
  'maxConcurrency': (number);
  'timeouts': (_tollgate_routing_v1_ChannelTimeouts__Output | null);
  'capabilities': (string)[];
  'health': (_tollgate_routing_v1_ChannelHealth__Output | null);
}
