// Original file: tollgate/routing/v1/routing.proto

import type { ChannelType as _tollgate_routing_v1_ChannelType, ChannelType__Output as _tollgate_routing_v1_ChannelType__Output } from '../../../tollgate/routing/v1/ChannelType';
import type { ChannelModelList as _tollgate_routing_v1_ChannelModelList, ChannelModelList__Output as _tollgate_routing_v1_ChannelModelList__Output } from '../../../tollgate/routing/v1/ChannelModelList';
import type { ChannelGroupList as _tollgate_routing_v1_ChannelGroupList, ChannelGroupList__Output as _tollgate_routing_v1_ChannelGroupList__Output } from '../../../tollgate/routing/v1/ChannelGroupList';
import type { ChannelStatus as _tollgate_routing_v1_ChannelStatus, ChannelStatus__Output as _tollgate_routing_v1_ChannelStatus__Output } from '../../../tollgate/routing/v1/ChannelStatus';
import type { ChannelTimeouts as _tollgate_routing_v1_ChannelTimeouts, ChannelTimeouts__Output as _tollgate_routing_v1_ChannelTimeouts__Output } from '../../../tollgate/routing/v1/ChannelTimeouts';
import type { ChannelCapabilityList as _tollgate_routing_v1_ChannelCapabilityList, ChannelCapabilityList__Output as _tollgate_routing_v1_ChannelCapabilityList__Output } from '../../../tollgate/routing/v1/ChannelCapabilityList';

/**
 * The settable part of a channel. On update every absent optional field and absent list is kept.
 */
export interface ChannelSettings {
  'name'?: (string);
  'type'?: (_tollgate_routing_v1_ChannelType);
  'baseUrl'?: (string);
  /**
   * Write-only.
   */
  'credential'?: (string);
  'models'?: (_tollgate_routing_v1_ChannelModelList | null);
  'groups'?: (_tollgate_routing_v1_ChannelGroupList | null);
  'ownerAccountId'?: (string);
  'priority'?: (number);
  'weight'?: (number);
  'status'?: (_tollgate_routing_v1_ChannelStatus);
  'autoDisable'?: (boolean);
  'maxConcurrency'?: (number);
  'timeouts'?: (_tollgate_routing_v1_ChannelTimeouts | null);
  'capabilities'?: (_tollgate_routing_v1_ChannelCapabilityList | null);
  '_name'?: "name";
  '_type'?: "type";
  '_baseUrl'?: "baseUrl";
  '_credential'?: "credential";
  '_ownerAccountId'?: "ownerAccountId";
  '_priority'?: "priority";
  '_weight'?: "weight";
  '_status'?: "status";
  '_autoDisable'?: "autoDisable";
  '_maxConcurrency'?: "maxConcurrency";
}

/**
 * The settable part of a channel. On update every absent optional field and absent list is kept.
 */
export interface ChannelSettings__Output {
  'name'?: (string);
  'type'?: (_tollgate_routing_v1_ChannelType__Output);
  'baseUrl'?: (string);
  /**
   * Write-only.
   */
  'credential'?: (string);
  'models': (_tollgate_routing_v1_ChannelModelList__Output | null);
  'groups': (_tollgate_routing_v1_ChannelGroupList__Output | null);
  'ownerAccountId'?: (string);
  'priority'?: (number);
  'weight'?: (number);
  'status'?: (_tollgate_routing_v1_ChannelStatus__Output);
  'autoDisable'?: (boolean);
  'maxConcurrency'?: (number);
  'timeouts': (_tollgate_routing_v1_ChannelTimeouts__Output | null);
  'capabilities': (_tollgate_routing_v1_ChannelCapabilityList__Output | null);
  '_name'?: "name";
  '_type'?: "type";
  '_baseUrl'?: "baseUrl";
  '_credential'?: "credential";
  '_ownerAccountId'?: "ownerAccountId";
  '_priority'?: "priority";
  '_weight'?: "weight";
  '_status'?: "status";
  '_autoDisable'?: "autoDisable";
  '_maxConcurrency'?: "maxConcurrency";
}
