import { getJson } from './get-json';

const TIMEOUT_MS = 5_000;
/** Always accepted: the service chooses. */
const ANY_MODEL = 'auto';

/** The first model that the key may use, asked for as any client would. */
export async function findFirstModel(publicUrl: string, apiKey: string): Promise<string> {
  const answer = await getJson(`${publicUrl}/v1/models`, apiKey, TIMEOUT_MS).catch(() => undefined);
  return firstModelId(answer?.body) ?? ANY_MODEL;
}

/** Names that only route (`auto`) are skipped where a concrete one is listed. */
export function firstModelId(list: unknown): string | undefined {
  const items = (list as { readonly data?: unknown } | null | undefined)?.data;
  if (!Array.isArray(items)) return undefined;
  const models = items as readonly { readonly id?: unknown; readonly routing?: unknown }[];
  const ids = models.filter(({ routing }) => routing !== true).map(({ id }) => id);
  return ids.find((id) => typeof id === 'string');
}
