import type { CatalogueModel } from '../../api/schemas';
import type { StatusLabel } from '../../components/status';
import { formatCount } from '../../format/quantity';
import { countChannels } from '../channels/channel-health';

/** What is known of the models of the catalogue and of the channels that serve them. */
interface ServingChannels {
  /** The names of the catalogue; undefined until they are loaded, as the channels. */
  readonly models: readonly string[] | undefined;
  readonly channels: Parameters<typeof countChannels>[1] | undefined;
  /** There are channels that were not loaded: any of them may be the one that serves a model. */
  readonly hasMore: boolean;
  /** The channels are as they were a while ago. */
  readonly isOld: boolean;
}

/** Whether a channel can answer for each model, and the models for which none can. */
export function describeModels({
  models,
  channels,
  hasMore,
  isOld,
}: ServingChannels): StatusLabel & { readonly down: readonly string[] } {
  if (models === undefined || channels === undefined || hasMore) {
    return { tone: 'idle', label: 'Unknown', down: [] };
  }
  const unserved = countChannels(models, channels).filter(({ callable }) => callable === 0);
  if (unserved.length === 0) {
    const label = `All ${formatCount(models.length)} served`;
    return { tone: isOld ? 'idle' : 'good', label, down: [] };
  }
  return {
    // As alerts judge it: a model that no channel names never worked.
    tone: unserved.some((model) => model.channels > 0) ? 'bad' : 'warn',
    label: `${formatCount(unserved.length)} not served`,
    down: unserved.map(({ name }) => name),
  };
}

/** Said of models that all have a channel, or of which that is not known. */
export function describeServing(
  models: readonly Pick<CatalogueModel, 'price_source'>[],
  hasMore: boolean,
): string {
  const unset = models.filter(({ price_source }) => price_source === 'default').length;
  const prices = unset === 0 ? [] : [`Price not set: ${formatCount(unset)}`];
  const unloaded = hasMore ? ['Not all channels are loaded here; the alerts look at each'] : [];
  return [...prices, ...unloaded].join('. ') || 'Each by a channel';
}
