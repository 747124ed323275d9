import type { Channel, ChannelChanges, NewChannel } from '../../api/schemas';
import { isName, isUrl, isWholeFrom, optional } from '../../components/checks';
import { changedFields } from '../../components/drafts';

/** A channel as the form holds it. */
export interface ChannelDraft {
  name: string;
  type: Channel['type'];
  base_url: string;
  /** The credential, which is never read back: empty leaves it as it is. */
  credential: string;
  /** `name` or `name=upstream name`, one for each line. */
  models: string;
  groups: string[];
  priority: string;
  weight: string;
  max_concurrency: string;
  auto_disable: boolean;
}

/** Where each vendor is, unless somebody says otherwise. */
export const BASE_URLS: Readonly<Record<Channel['type'], string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
  simulator: '',
};

export const EMPTY_CHANNEL: ChannelDraft = {
  name: '',
  type: 'openai',
  base_url: BASE_URLS.openai,
  credential: '',
  models: '',
  groups: [],
  priority: '0',
  weight: '1',
  max_concurrency: '',
  auto_disable: true,
};

const MODEL = /^[a-z0-9][a-z0-9._-]*(=[!-~]{1,200})?$/;
const PRIORITY_MAX = 1000;
const WEIGHT_MAX = 1000;
const CONCURRENCY_MAX = 100_000;

export const CHANNEL_RULES = {
  name: isName,
  base_url: isUrl,
  models: (text: string) => {
    const lines = linesOf(text);
    if (lines.length === 0) return 'At least one model';
    const wrong = lines.find((line) => !MODEL.test(line));
    return wrong === undefined ? null : `“${wrong}” is no model name, nor name=upstream name`;
  },
  priority: isWholeFrom(0, PRIORITY_MAX),
  weight: isWholeFrom(1, WEIGHT_MAX),
  max_concurrency: optional(isWholeFrom(1, CONCURRENCY_MAX)),
};

/** Like the API, sends a credential that is kept to no other address unasked. */
export function checkCredential(
  written: string,
  address: string,
  channel: Pick<Channel, 'base_url' | 'credential_preview'>,
): string | null {
  const moves = address.trim() !== channel.base_url;
  const isMissing = written.trim() === '' && channel.credential_preview !== '';
  return moves && isMissing ? 'A new address needs the credential again' : null;
}

export function toNewChannel(draft: ChannelDraft): NewChannel {
  const { credential, ...settings } = toSettings(draft);
  return credential === '' ? settings : { ...settings, credential };
}

/** The lines, and new ones for those names that none of them serves yet, by either name. */
export function addModels(models: string, names: readonly string[]): string {
  const lines = linesOf(models);
  const served = new Set(
    lines.map(toChannelModel).flatMap(({ name, upstream_name }) => [name, upstream_name]),
  );
  return [...lines, ...names.filter((name) => !served.has(name))].join('\n');
}

/** The fields that differ from the channel as it is; the credential when one was written. */
export function toChannelChanges(draft: ChannelDraft, channel: Channel): ChannelChanges {
  return changedFields(toSettings(toChannelDraft(channel)), toSettings(draft));
}

export function toChannelDraft(channel: Channel): ChannelDraft {
  return {
    name: channel.name,
    type: channel.type,
    base_url: channel.base_url,
    credential: '',
    models: channel.models
      .map(({ name, upstream_name }) =>
        name === upstream_name ? name : `${name}=${upstream_name}`,
      )
      .join('\n'),
    groups: channel.groups,
    priority: String(channel.priority),
    weight: String(channel.weight),
    max_concurrency: String(channel.max_concurrency ?? ''),
    auto_disable: channel.auto_disable,
  };
}

function toSettings(draft: ChannelDraft) {
  const most = draft.max_concurrency.trim();
  return {
    name: draft.name.trim(),
    type: draft.type,
    base_url: draft.base_url.trim(),
    credential: draft.credential.trim(),
    models: linesOf(draft.models).map(toChannelModel),
    groups: draft.groups,
    priority: Number(draft.priority),
    weight: Number(draft.weight),
    max_concurrency: most === '' ? null : Number(most),
    auto_disable: draft.auto_disable,
  };
}

function toChannelModel(line: string) {
  const [name = '', upstream_name = name] = line.split(/=(.*)/);
  return { name, upstream_name };
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
