import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../session/session';
import { useChangeInSteps, useSend } from './hooks';
import { unwrap, unwrapText } from './queries';
import type { CatalogueModel, Model, NewModelImport } from './schemas';

const MODELS = ['models'] as const;

/** The models that the account may ask for, routing names included. */
export function useModels(): UseQueryResult<readonly Model[]> {
  return useQuery({
    queryKey: [...MODELS, 'offered'],
    queryFn: async () => (await unwrap(api.GET('/v1/llm/models'))).data,
  });
}

/** Operators: the catalogue with its prices, without routing names. */
export function useCatalogue(): UseQueryResult<readonly CatalogueModel[]> {
  return useQuery({
    queryKey: [...MODELS, 'catalogue'],
    queryFn: async () => (await unwrap(api.GET('/v1/admin/models'))).data,
  });
}

/** The catalogue as a table that an import takes. */
export function fetchCatalogueCsv(): Promise<string> {
  const params = { query: { format: 'csv' } } as const;
  return unwrapText(api.GET('/v1/admin/models/export', { params, parseAs: 'text' }));
}

/** Adds and changes models by a table; a dry run only says what it would change. */
export function useImportModels() {
  const queries = useQueryClient();
  return useChangeInSteps(
    async (body: NewModelImport) => {
      try {
        return await unwrap(api.POST('/v1/admin/models/import', { body }));
      } catch (error) {
        // Of an import that failed midway a part is made.
        if (body.dry_run === false) void queries.invalidateQueries({ queryKey: MODELS });
        throw error;
      }
    },
    [MODELS],
  );
}

export function useCreateModel() {
  return useSend('post', '/v1/admin/models', {}, [MODELS]);
}

/** Changes what is named; a price that differs becomes a new version, which holds from now on. */
export function useChangeModel(id: string) {
  return useSend('patch', '/v1/admin/models/{id}', { path: { id } }, [MODELS]);
}

export function useDeleteModel(id: string) {
  return useSend('delete', '/v1/admin/models/{id}', { path: { id } }, [MODELS]);
}
