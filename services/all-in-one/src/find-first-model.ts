import { get } from 'node:http';

const TIMEOUT_MS = 5_000;
/** Always accepted: the service chooses. */
const ANY_MODEL = 'auto';

/** The first model that the key may use, asked for as any client would. */
export async function findFirstModel(publicUrl: string, apiKey: string): Promise<string> {
  const text = await fetchText(`${publicUrl}/v1/models`, apiKey).catch(() => '');
  return firstModelId(text) ?? ANY_MODEL;
}

function fetchText(url: string, apiKey: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${apiKey}` };
    const request = get(url, { headers, timeout: TIMEOUT_MS }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', reject);
  });
}

/** Names that only route (`auto`) are skipped where a concrete one is listed. */
export function firstModelId(text: string): string | undefined {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return undefined;
  }
  const items = (list as { readonly data?: unknown } | null)?.data;
  if (!Array.isArray(items)) return undefined;
  const models = items as readonly { readonly id?: unknown; readonly routing?: unknown }[];
  const ids = models.filter(({ routing }) => routing !== true).map(({ id }) => id);
  return ids.find((id) => typeof id === 'string');
}
