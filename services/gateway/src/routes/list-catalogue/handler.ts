import type { RoutingClient } from '../../clients/control-plane';
import { toModel } from '../resources/model';
import { type Operation, operation } from '../route';
import { listCatalogueSchema } from './schema';

/** The shared catalogue, whatever the operator's own account could use. */
export function createListCatalogue(routing: RoutingClient): Operation {
  return operation(listCatalogueSchema, async ({ context }) => {
    const { models } = await routing.listModels({ accountId: '', grantedGroups: [] }, context.rpc);
    const concrete = models.filter((model) => !model.routing);
    return { data: { object: 'list', data: concrete.map(toModel) } };
  });
}
