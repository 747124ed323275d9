import type { RoutingClient } from '../../clients/control-plane';
import { usableGroups } from '../../domain/principal';
import { toModel, visibleModels } from '../resources/model';
import { type Operation, operation } from '../route';
import { listModelsSchema, listPlainModelsSchema } from './schema';

/** The catalogue as the caller may use it. */
export function createListModels(
  routing: RoutingClient,
  presented: 'envelope' | 'plain',
): Operation {
  const schema = presented === 'plain' ? listPlainModelsSchema : listModelsSchema;
  return operation(schema, async ({ principal, context }) => {
    const { models } = await routing.listModels(
      { accountId: principal.accountId, grantedGroups: usableGroups(principal) },
      context.rpc,
    );
    return { data: { object: 'list', data: visibleModels(models, principal.models).map(toModel) } };
  });
}
