// Original file: tollgate/routing/v1/routing.proto

import type { ChannelType as _tollgate_routing_v1_ChannelType, ChannelType__Output as _tollgate_routing_v1_ChannelType__Output } from '../../../tollgate/routing/v1/ChannelType';
import type { ChannelModel as _tollgate_routing_v1_ChannelModel, ChannelModel__Output as _tollgate_routing_v1_ChannelModel__Output } from '../../../tollgate/routing/v1/ChannelModel';
import type { ChannelStatus as _tollgate_routing_v1_ChannelStatus, ChannelStatus__Output as _tollgate_routing_v1_ChannelStatus__Output } from '../../../tollgate/routing/v1/ChannelStatus';
import type { ChannelTimeouts as _tollgate_routing_v1_ChannelTimeouts, ChannelTimeouts__Output as _tollgate_routing_v1_ChannelTimeouts__Output } from '../../../tollgate/routing/v1/ChannelTimeouts';
import type { ChannelHealth as _tollgate_routing_v1_ChannelHealth, ChannelHealth__Output as _tollgate_routing_v1_ChannelHealth__Output } from '../../../tollgate/routing/v1/ChannelHealth';

/**
 * A channel as management sees it; the credential is never in it.
 */
export interface Channel {
  'id'?: (string);
  'name'?: (string);
  'type'?: (_tollgate_routing_v1_ChannelType);
  'baseUrl'?: (string);
  'credentialPreview'?: (string);
  'models'?: (_tollgate_routing_v1_ChannelModel)[];
  'groups'?: (string)[];
  /**
   * Empty for a shared channel.
   */
  'ownerAccountId'?: (string);
  /**
   * Lower is preferred; 0 to 1000.
   */
  'priority'?: (number);
  /**
   * Share among equals of one priority; 1 to 1000.
   */
  'weight'?: (number);
  'status'?: (_tollgate_routing_v1_ChannelStatus);
  'autoDisable'?: (boolean);
  /**
   * 0 means unlimited.
   */
  'maxConcurrency'?: (number);
  'timeouts'?: (_tollgate_routing_v1_ChannelTimeouts | null);
  'capabilities'?: (string)[];
  'health'?: (_tollgate_routing_v1_ChannelHealth | null);
  'createdAt'?: (string);
  'updatedAt'?: (string);
  /**
   * When and why it was disabled automatically; empty unless it is CHANNEL_STATUS_AUTO_DISABLED.
   */
  'disabledAt'?: (string);
  'disabledReason'?: (string);
}

/**
 * A channel as management sees it; the credential is never in it.
 */
export interface Channel__Output {
  'id': (string);
  'name': (string);
  'type': (_tollgate_routing_v1_ChannelType__Output);
  'baseUrl': (string);
  'credentialPreview': (string);
  'models': (_tollgate_routing_v1_ChannelModel__Output)[];
  'groups': (string)[];
  /**
   * Empty for a shared channel.
   */
  'ownerAccountId': (string);
  /**
   * Lower is preferred; 0 to 1000.
   */
  'priority': (number);
  /**
   * Share among equals of one priority; 1 to 1000.
   */
  'weight': (number);
  'status': (_tollgate_routing_v1_ChannelStatus__Output);
  'autoDisable': (boolean);
  /**
   * 0 means unlimited.
   */
  'maxConcurrency': (number);
  'timeouts': (_tollgate_routing_v1_ChannelTimeouts__Output | null);
  'capabilities': (string)[];
  'health': (_tollgate_routing_v1_ChannelHealth__Output | null);
  'createdAt': (string);
  'updatedAt': (string);
  /**
   * When and why it was disabled automatically; empty unless it is CHANNEL_STATUS_AUTO_DISABLED.
   */
  'disabledAt': (string);
  'disabledReason': (string);
}
