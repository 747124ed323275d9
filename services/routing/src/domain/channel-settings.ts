import {
  CAPABILITIES_MAX,
  CAPABILITY,
  CHANNEL_BOUNDS,
  type ChannelStatus,
  GROUP_NAME,
  invalid,
  OWN_GROUP,
  parseDisplayName,
  toSnakeCase,
} from '@tollgate/core';
import { type Channel, type ChannelModel, DEFAULT_TIMEOUTS } from './channel';

/** The settings of a channel with every member decided. */
export type CompleteSettings = Pick<
  Channel,
  | 'name'
  | 'type'
  | 'baseUrl'
  | 'models'
  | 'groups'
  | 'ownerAccountId'
  | 'priority'
  | 'weight'
  | 'status'
  | 'autoDisable'
  | 'maxConcurrency'
  | 'timeouts'
  | 'capabilities'
>;

/** Settings as an operator sends them; absent members keep their present or default value. */
export interface ChannelSettings extends Partial<Omit<CompleteSettings, 'ownerAccountId'>> {
  readonly credential?: string;
  /** Empty for a shared channel. */
  readonly ownerAccountId?: string;
}

/** An operator enables or disables; only a vendor's refusal disables automatically. */
function checkGivenStatus(status: ChannelStatus | undefined): void {
  if (status === undefined || status === 'enabled' || status === 'disabled') return;
  throw invalid('status', 'status must be enabled or disabled.');
}

const DEFAULTS = {
  models: [],
  groups: [],
  ownerAccountId: null,
  priority: 0,
  weight: 1,
  status: 'enabled',
  autoDisable: true,
  maxConcurrency: 0,
  timeouts: DEFAULT_TIMEOUTS,
  capabilities: [],
} as const satisfies Partial<CompleteSettings>;

/** Settings of a new channel; throws VALIDATION_ERROR with the field at fault. */
export function completeNewSettings(settings: ChannelSettings): CompleteSettings {
  const { name, type, baseUrl } = settings;
  checkGivenStatus(settings.status);
  if (name === undefined) throw invalid('name', 'name is required.');
  if (type === undefined) throw invalid('type', 'type is required.');
  if (baseUrl === undefined) throw invalid('base_url', 'base_url is required.');
  return checkSettings(mergeSettings({ ...DEFAULTS, name, type, baseUrl }, settings));
}

/**
 * The present settings with the given ones over them. A new address without a new credential would
 * send the old vendor's credential to another host, so it is refused.
 */
export function applySettings(channel: Channel, settings: ChannelSettings): CompleteSettings {
  checkGivenStatus(settings.status);
  const moved = settings.baseUrl !== undefined && settings.baseUrl !== channel.baseUrl;
  if (moved && settings.credential === undefined && channel.credentialPreview !== '') {
    throw invalid('credential', 'A new base_url needs the credential again.');
  }
  return checkSettings(mergeSettings(channel, settings));
}

/** Named one by one, because the base may be a whole channel; the credential is kept elsewhere. */
function mergeSettings(base: CompleteSettings, settings: ChannelSettings): CompleteSettings {
  const { ownerAccountId } = settings;
  return {
    name: settings.name ?? base.name,
    type: settings.type ?? base.type,
    baseUrl: settings.baseUrl ?? base.baseUrl,
    models: settings.models ?? base.models,
    groups: settings.groups ?? base.groups,
    ownerAccountId: ownerAccountId === undefined ? base.ownerAccountId : toOwner(ownerAccountId),
    priority: settings.priority ?? base.priority,
    weight: settings.weight ?? base.weight,
    status: settings.status ?? base.status,
    autoDisable: settings.autoDisable ?? base.autoDisable,
    maxConcurrency: settings.maxConcurrency ?? base.maxConcurrency,
    timeouts: settings.timeouts ?? base.timeouts,
    capabilities: settings.capabilities ?? base.capabilities,
  };
}

/** What a vendor may call a model. */
export function isUpstreamName(text: string): boolean {
  return CHANNEL_BOUNDS.upstreamName.test(text);
}

/** Checks the credential's form; an empty one is a vendor without authentication. */
export function checkCredential(credential: string): string {
  if (credential.length > CHANNEL_BOUNDS.credentialLengthMax || /[^\x21-\x7e]/.test(credential)) {
    throw invalid(
      'credential',
      `credential must be at most ${CHANNEL_BOUNDS.credentialLengthMax} visible ASCII characters.`,
    );
  }
  return credential;
}

function toOwner(text: string): Channel['ownerAccountId'] {
  return text === '' ? null : (text as Channel['ownerAccountId']);
}

function checkSettings(settings: CompleteSettings): CompleteSettings {
  const name = parseDisplayName('name', settings.name);
  checkModels(settings.models);
  checkNames('groups', settings.groups, CHANNEL_BOUNDS.groupsMax, GROUP_NAME);
  if (settings.groups.includes(OWN_GROUP)) {
    throw invalid('groups', `"${OWN_GROUP}" is reserved for an account's own channels.`);
  }
  checkNames('capabilities', settings.capabilities, CAPABILITIES_MAX, CAPABILITY);
  checkRange('priority', settings.priority, 0, CHANNEL_BOUNDS.priorityMax);
  checkRange('weight', settings.weight, 1, CHANNEL_BOUNDS.weightMax);
  checkRange('max_concurrency', settings.maxConcurrency, 0, CHANNEL_BOUNDS.concurrencyMax);
  for (const [key, value] of Object.entries<number>({ ...settings.timeouts })) {
    checkRange(`timeouts.${toSnakeCase(key)}`, value, 0, CHANNEL_BOUNDS.timeoutMsMax);
  }
  return { ...settings, name };
}

function checkModels(models: readonly ChannelModel[]): void {
  const { modelsMax } = CHANNEL_BOUNDS;
  if (models.length > modelsMax) throw invalid('models', `At most ${modelsMax} models.`);
  const seen = new Set<string>();
  for (const [index, model] of models.entries()) {
    if (seen.has(model.name)) {
      throw invalid(`models[${index}].name`, `The model ${model.name} is listed twice.`);
    }
    seen.add(model.name);
    if (!isUpstreamName(model.upstreamName)) {
      throw invalid(
        `models[${index}].upstream_name`,
        'upstream_name must be 1 to 200 visible ASCII characters.',
      );
    }
  }
}

function checkNames(param: string, names: readonly string[], countMax: number, form: RegExp): void {
  if (names.length > countMax) throw invalid(param, `At most ${countMax} ${param}.`);
  const bad = names.find((name) => !form.test(name));
  if (bad !== undefined) throw invalid(param, `"${bad.slice(0, 64)}" is no valid name here.`);
}

function checkRange(param: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw invalid(param, `${param} must be a whole number from ${min} to ${max}.`);
}
