import { AppError, type Idempotency, invalid, type ModelKind } from '@tollgate/core';
import {
  type IdempotencyOptions,
  type IdempotentResult,
  retryChange,
  runIdempotently,
} from '@tollgate/mongo';
import { checkModelSettings, type Model, type ModelSettings, withPrices } from '../domain/model';
import type { ChannelStore, ModelStore, RouteLog } from '../domain/ports';
import { modelChanged } from './route-log';

export interface ModelOperationsOptions extends IdempotencyOptions {
  readonly channels: ChannelStore;
  readonly models: ModelStore;
  readonly routeLog: RouteLog;
  readonly modelsMax: number;
}

/** What operators do with the catalogue. */
export interface ModelOperations {
  /** CONFLICT when the name exists. */
  create(settings: ModelSettings, idempotency: Idempotency): Promise<IdempotentResult<Model>>;
  /**
   * Throws what `create` or `replace` would throw and changes nothing; `createdBefore` is how many
   * other models are to be created before this one.
   */
  check(settings: ModelSettings, how: { create: boolean; createdBefore: number }): Promise<void>;
  /** With every version of its prices; undefined when it does not exist. */
  find(name: string): Promise<Model | undefined>;
  /** NOT_FOUND when it does not. A changed price becomes a new version that holds from now on. */
  replace(settings: ModelSettings): Promise<Model>;
  /** CONFLICT while a channel serves it. */
  remove(name: string): Promise<void>;
}

/** Creates the operations over their ports. */
export function createModelOperations(options: ModelOperationsOptions): ModelOperations {
  const { channels, models, routeLog, clock } = options;

  const requireRoom = async (others: number): Promise<void> => {
    if ((await models.count()) + others < options.modelsMax) return;
    throw new AppError('CONFLICT', { publicMessage: 'The largest number of models exists.' });
  };

  const create = async (settings: ModelSettings, effectId: string): Promise<Model> => {
    checkModelSettings(settings);
    await requireRoom(0);
    const model = toModel(settings, undefined, clock.now());
    if (!(await models.insert(model, effectId))) throw nameTaken(settings);
    await routeLog.append(modelChanged(model.name));
    return model;
  };

  return {
    find: (name) => models.find(name),
    create: (settings, idempotency) =>
      runIdempotently<Model, string>(options, {
        operation: 'create-model',
        idempotency,
        effect: (effectId) => create(settings, effectId),
        async findEffect(effectId) {
          const model = await models.findMadeBy(settings.name, effectId);
          if (model !== undefined) await routeLog.append(modelChanged(model.name));
          return model;
        },
      }),
    async check(settings, { create: isNew, createdBefore }) {
      checkModelSettings(settings);
      const present = await models.find(settings.name);
      if (!isNew) {
        if (present === undefined) throw new AppError('NOT_FOUND');
        requireKind(settings, present.kind);
        return;
      }
      if (present !== undefined) throw nameTaken(settings);
      await requireRoom(createdBefore);
    },
    async replace(settings) {
      checkModelSettings(settings);
      const attempt = async () => {
        const present = await models.find(settings.name);
        if (present === undefined) throw new AppError('NOT_FOUND');
        requireKind(settings, present.kind);
        const model = toModel(settings, present, clock.now());
        const version = present.prices.at(-1)?.version ?? 0;
        if (!(await models.update(model, version))) return undefined;
        await routeLog.append(modelChanged(model.name));
        return model;
      };
      return retryChange('model', attempt);
    },
    async remove(name) {
      if (await channels.serves(name)) {
        throw new AppError('CONFLICT', {
          publicMessage: `A channel still serves ${name}: remove it there first.`,
        });
      }
      const isRemoved = await models.remove(name);
      // Also of one that is gone: whoever removed it may have failed here.
      await routeLog.append(modelChanged(name));
      if (!isRemoved) throw new AppError('NOT_FOUND');
    },
  };
}

function nameTaken({ name }: ModelSettings): AppError {
  const publicMessage = `The model ${name} exists already.`;
  return new AppError('CONFLICT', { param: 'name', publicMessage });
}

function requireKind({ kind }: ModelSettings, present: ModelKind): void {
  if (kind === undefined || kind === present) return;
  throw invalid('kind', `kind: a model keeps its kind, ${present}.`);
}

function toModel(settings: ModelSettings, before: Model | undefined, now: number): Model {
  const { kind = before?.kind ?? 'chat', prices, ...rest } = settings;
  const createdAtMs = before?.createdAtMs ?? now;
  return { ...rest, kind, createdAtMs, prices: withPrices(before?.prices ?? [], prices, now) };
}
