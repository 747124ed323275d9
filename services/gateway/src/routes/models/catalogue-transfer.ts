import { AppError, toAppError } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { CSV_TYPE } from '../../http/content-types';
import { invalidField } from '../../http/errors';
import { amountText } from '../../money/amounts';
import { required } from '../asking/required';
import { operation, type Services } from '../operation';
import { parseCsv, quote, toCsv, unquote } from '../payloads/csv';
import { check } from '../serving/input';
import {
  importedModel,
  loadCatalogue,
  loadEntries,
  NEW_MODEL_RULES,
  requireOwnPath,
  toProtoModel,
} from './catalogue';
import { modelListSchema, modelSchema, toModel } from './models';

type ImportedModel = z.output<typeof importedModel>;
type Model = z.infer<typeof modelSchema>;
type ImportItem = z.infer<typeof importItemSchema>;

const MODELS_MAX = 500;
const CSV_LENGTH_MAX = 500_000;
/** The columns of the table in their order; capabilities are parted by spaces. */
const COLUMNS = [
  'name',
  'description',
  'context_length',
  'max_completion_tokens',
  'prompt',
  'completion',
  'cached_prompt',
  'capabilities',
  'cache_write',
  'kind',
] as const;

export const exportModels = operation(
  {
    summary: 'Export the model catalogue with its prices, as JSON or CSV',
    query: z.strictObject({ format: z.enum(['json', 'csv']).default('json') }),
    data: modelListSchema,
    text: 'text/csv',
  },
  async ({ query }, { routing }) => {
    const data = await loadCatalogue(routing);
    if (query.format === 'json') return { data: { object: 'list', data } };
    return { text: toCsv([COLUMNS, ...data.map(toRow)]), contentType: CSV_TYPE };
  },
);

function toRow(model: Model): (string | number)[] {
  const { name, description, context_length, max_completion_tokens, pricing } = model;
  return [
    name,
    quote(description),
    context_length ?? '',
    max_completion_tokens ?? '',
    pricing?.prompt ?? '',
    pricing?.completion ?? '',
    pricing?.cached_prompt ?? '',
    quote(model.capabilities.join(' ')),
    pricing?.cache_write ?? '',
    model.kind,
  ];
}

const importItemSchema = z.object({
  name: z.string(),
  change: z.enum(['create', 'update', 'none']),
  before: modelSchema.nullable().describe('null when it was not in the catalogue.'),
  after: modelSchema.nullable().describe('As it is now; null in a dry run, which changes nothing.'),
});

export const importModels = operation(
  {
    summary: 'Add and change models of the catalogue in bulk; a dry run says what would change',
    body: z.strictObject({
      dry_run: z.boolean().default(true),
      models: z.array(importedModel).min(1).max(MODELS_MAX).optional(),
      csv: z
        .string()
        .min(1)
        .max(CSV_LENGTH_MAX)
        .optional()
        .describe(
          `A table in place of models, with the columns ${COLUMNS.join(', ')}. Prices are for ` +
            '1M tokens, as in models where both are empty; capabilities are parted by spaces.',
        ),
    }),
    takesTable: true,
    rules: {
      ...NEW_MODEL_RULES,
      models:
        'or csv is given, not both, and no name twice; each pricing has the currency of this ' +
        'deployment, and none is needed where a list price is known',
      csv: 'has the columns of the export; name, context_length and max_completion_tokens are needed',
    },
    data: z.object({
      dry_run: z.boolean(),
      created: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      items: z.array(importItemSchema),
    }),
    idempotency: { ignored: 'Importing the same again changes nothing.' },
  },
  async ({ body }, { routing }) => {
    const wanted = readModels(body);
    const catalogue = await loadEntries(routing);
    const present = new Map(catalogue.map((entry) => [entry.name, entry]));
    const planned = wanted.map((model): PlannedModel => {
      const entry = present.get(model.name);
      const before = entry === undefined ? null : toModel(entry);
      const put = toProtoModel(model);
      put.pricing ??= entry?.pricing ?? null;
      return { name: model.name, put, before, change: changeOf(before, model) };
    });
    // A list that routing would not take is refused before its first change, in a dry run too.
    await checkAll(planned, body.csv === undefined ? 'models' : 'csv', (request) =>
      routing.putModel({ ...request, validateOnly: true }),
    );
    const items = body.dry_run
      ? planned.map(({ name, change, before }) => ({
          name,
          change,
          before,
          after: change === 'none' ? before : null,
        }))
      : await putAll(planned, routing);
    const count = (change: string) => items.filter((item) => item.change === change).length;
    return {
      data: {
        dry_run: body.dry_run,
        created: count('create'),
        updated: count('update'),
        unchanged: count('none'),
        items,
      },
    };
  },
);

interface PlannedModel {
  readonly name: string;
  readonly put: routingV1.Model;
  readonly before: Model | null;
  readonly change: 'create' | 'update' | 'none';
}

/** Asks routing for each change whether it would take it; the first refusal names the model. */
async function checkAll(
  planned: readonly PlannedModel[],
  param: 'csv' | 'models',
  ask: (request: routingV1.PutModelRequest) => Promise<unknown>,
): Promise<void> {
  let createdBefore = 0;
  for (const { name, put: model, change } of planned) {
    if (change === 'none') continue;
    const create = change === 'create';
    try {
      if (create) requireOwnPath(name);
      await ask({ model, create, createdBefore });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
      throw invalidField(param, `${name}: ${error.publicMessage}`);
    }
    if (create) createdBefore += 1;
  }
}

/**
 * Makes the changes one after the other. A refusal after the first of them, for what somebody else
 * changed since the check, ends as a failure that may be repeated: as a refusal it would say that
 * nothing was done, and the entry in the audit log would be removed.
 */
async function putAll(
  planned: readonly PlannedModel[],
  routing: Services['routing'],
): Promise<ImportItem[]> {
  const changesCount = planned.filter(({ change }) => change !== 'none').length;
  let made = 0;
  const items: ImportItem[] = [];
  for (const { name, put: model, before, change } of planned) {
    if (change === 'none') {
      items.push({ name, change, before, after: before });
      continue;
    }
    try {
      const answer = await routing.putModel({ model, create: change === 'create' });
      items.push({ name, change, before, after: toModel(required(answer.model)) });
    } catch (error) {
      const { definition, publicMessage } = toAppError(error);
      if (made === 0 || definition.httpStatus >= 500) throw error;
      throw new AppError('SERVICE_UNAVAILABLE', {
        publicMessage:
          `${made} of ${changesCount} changes ${made === 1 ? 'is' : 'are'} made, and ${name} was ` +
          `refused: ${publicMessage} Check the list again.`,
        cause: error,
      });
    }
    made += 1;
  }
  return items;
}

function readModels({
  models,
  csv,
}: {
  readonly models?: readonly ImportedModel[] | undefined;
  readonly csv?: string | undefined;
}): readonly ImportedModel[] {
  if ((models === undefined) === (csv === undefined)) {
    throw invalidField('models', 'give models or csv, and not both.');
  }
  const wanted = models ?? readTable(csv ?? '');
  const names = new Set<string>();
  for (const { name } of wanted) {
    if (names.has(name))
      throw invalidField(csv === undefined ? 'models' : 'csv', `${name} stands there twice.`);
    names.add(name);
  }
  return wanted;
}

function readTable(text: string): readonly ImportedModel[] {
  const bounds = { linesMax: 2 * MODELS_MAX, cellsMax: COLUMNS.length };
  const [header = [], ...rows] = parseCsv(text, bounds) ?? [];
  const columns: readonly string[] = COLUMNS;
  const unknown = header.find((name) => !columns.includes(name));
  if (header.length === 0 || unknown !== undefined) {
    throw invalidField('csv', `the first line names columns, of ${COLUMNS.join(', ')}.`);
  }
  const again = header.find((name, index) => header.indexOf(name) !== index);
  if (again !== undefined) throw invalidField('csv', `the column ${again} stands there twice.`);
  if (rows.length === 0 || rows.length > MODELS_MAX) {
    throw invalidField('csv', `a table has 1 to ${MODELS_MAX} models.`);
  }
  return rows.map((row, index) => {
    if (row.length > header.length) {
      const hint = 'a value with a comma, such as 2,50, stands in quotation marks.';
      throw invalidField('csv', `line ${index + 2}: has more cells than the first line; ${hint}`);
    }
    const cell = (name: (typeof COLUMNS)[number]) => row[header.indexOf(name)] ?? '';
    try {
      return check(importedModel, toImportedModel(cell)) as ImportedModel;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw invalidField('csv', `line ${index + 2}: ${error.publicMessage}`);
    }
  });
}

function toImportedModel(cell: (name: (typeof COLUMNS)[number]) => string) {
  const capabilities = unquote(cell('capabilities')).split(' ').filter(Boolean);
  const cached = cell('cached_prompt');
  const written = cell('cache_write');
  const kind = cell('kind');
  const pricing = {
    prompt: cell('prompt'),
    completion: cell('completion'),
    ...(cached === '' ? {} : { cached_prompt: cached }),
    ...(written === '' ? {} : { cache_write: written }),
  };
  const isPriced = Object.values(pricing).some((amount) => amount !== '');
  return {
    name: cell('name'),
    description: unquote(cell('description')),
    context_length: wholeNumberOf(cell('context_length')),
    max_completion_tokens: wholeNumberOf(cell('max_completion_tokens')),
    ...(isPriced ? { pricing } : {}),
    capabilities,
    ...(kind === '' ? {} : { kind }),
  };
}

/** A number that is written otherwise, such as 0x10 or 1e3, is none. */
function wholeNumberOf(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** Amounts are compared as amounts: "1" and "1.00" are one price. */
function changeOf(before: Model | null, model: ImportedModel): 'create' | 'update' | 'none' {
  if (before === null) return 'create';
  const wanted = [
    model.description,
    model.context_length,
    model.max_completion_tokens,
    ...amountsOf(model.pricing ?? before.pricing),
    [...model.capabilities].sort().join(' '),
    model.kind ?? before.kind,
  ];
  const present = [
    before.description,
    before.context_length,
    before.max_completion_tokens,
    ...amountsOf(before.pricing),
    [...before.capabilities].sort().join(' '),
    before.kind,
  ];
  return wanted.every((value, index) => value === present[index]) ? 'none' : 'update';
}

function amountsOf(pricing: ImportedModel['pricing'] | Model['pricing']): readonly string[] {
  if (pricing === undefined || pricing === null) return [];
  const { prompt, completion, cached_prompt = prompt, cache_write = prompt } = pricing;
  return [prompt, completion, cached_prompt, cache_write]
    .map((text) => amountText.parse(text))
    .map(normal);
}

function normal(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}
