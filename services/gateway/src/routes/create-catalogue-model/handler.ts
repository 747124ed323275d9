import type { RoutingClient } from '../../clients/control-plane';
import { toCatalogueModel } from '../resources/catalogue-model';
import { toOperatorIdempotency } from '../resources/idempotency';
import { toModel } from '../resources/model';
import { owed } from '../resources/values';
import { type Operation, operation } from '../route';
import { createCatalogueModelSchema } from './schema';

/** A name that exists already is a CONFLICT. */
export function createCreateCatalogueModel(routing: RoutingClient): Operation {
  return operation(createCatalogueModelSchema, async ({ principal, body, context }) => {
    const { model, replayed } = await routing.putModel(
      {
        model: toCatalogueModel(body),
        create: true,
        ...toOperatorIdempotency(principal, context.idempotency),
      },
      context.rpc,
    );
    return { data: toModel(owed(model)), replayed };
  });
}
