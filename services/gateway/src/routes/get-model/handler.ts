import { AppError } from '@tollgate/core';
import type { RoutingClient } from '../../clients/control-plane';
import { usableGroups } from '../../domain/principal';
import { toModel, visibleModels } from '../resources/model';
import { type Operation, operation } from '../route';
import { getModelSchema } from './schema';

/** One model of the list, or 404 for what is not in it. */
export function createGetModel(routing: RoutingClient): Operation {
  return operation(getModelSchema, async ({ principal, params, context }) => {
    const { models } = await routing.listModels(
      { accountId: principal.accountId, grantedGroups: usableGroups(principal) },
      context.rpc,
    );
    const found = visibleModels(models, principal.models).find(({ name }) => name === params.id);
    if (found === undefined) {
      throw new AppError('NOT_FOUND', {
        publicMessage: 'This model does not exist.',
        param: 'model',
      });
    }
    return { data: toModel(found) };
  });
}
