import { AppError } from '@tollgate/core';
import type { RoutingClient } from '../../clients/control-plane';
import { toCatalogueModel } from '../resources/catalogue-model';
import { toModel } from '../resources/model';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { updateCatalogueModelSchema } from './schema';

/** Requests, prices and receipts refer to a model by its name: it stays. */
export function createUpdateCatalogueModel(routing: RoutingClient): Operation {
  return operation(updateCatalogueModelSchema, async ({ params, body, context }) => {
    if (body.name !== undefined && body.name !== params.id) {
      throw new AppError('VALIDATION_ERROR', {
        publicMessage: 'name: a model keeps its name.',
        param: 'name',
      });
    }
    const { model } = await routing.putModel(
      { model: toCatalogueModel({ ...body, name: params.id }), create: false },
      context.rpc,
    );
    return { data: toModel(owed(model)) };
  });
}
