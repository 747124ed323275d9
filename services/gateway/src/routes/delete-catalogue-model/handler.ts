import type { RoutingClient } from '../../clients/control-plane';
import { toDeleted } from '../resources/deleted';
import { type Operation, operation } from '../route';
import { deleteCatalogueModelSchema } from './schema';

export function createDeleteCatalogueModel(routing: RoutingClient): Operation {
  return operation(deleteCatalogueModelSchema, async ({ params, context }) => {
    await routing.deleteModel({ name: params.id }, context.rpc);
    return { data: toDeleted(params.id) };
  });
}
