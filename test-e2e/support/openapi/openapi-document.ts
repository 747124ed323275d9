import { type JsonSchema, resolveReference } from './openapi-schema';

/** One operation of the served document. */
export interface Operation {
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly description?: string;
  /** Whether it names a security scheme. */
  readonly secured: boolean;
  readonly parameters: readonly Parameter[];
  /** Absent when it takes no body. */
  readonly body: RequestBody | undefined;
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

interface RequestBody {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, MediaType>>;
}

interface MediaType {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

interface Answer {
  readonly content?: Readonly<Record<string, MediaType>>;
}

/** The served document, as far as the suites read it. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly operations: readonly Operation[];
  /** The whole text as an object, for references. */
  readonly root: JsonSchema;
}

type RawOperation = Omit<Operation, 'method' | 'path' | 'secured' | 'body' | 'parameters'> & {
  readonly security?: unknown;
  readonly requestBody?: RequestBody;
  readonly parameters?: readonly Parameter[];
};

/** The document as the product serves it. */
export function parseOpenApi(text: string): OpenApiDocument {
  const root = JSON.parse(text) as {
    readonly openapi: string;
    readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  };
  const operations = Object.entries(root.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      method: method.toUpperCase(),
      path,
      secured: raw.security !== undefined,
      ...(raw.description === undefined ? {} : { description: raw.description }),
      parameters: raw.parameters ?? [],
      body: raw.requestBody && resolveBody(raw.requestBody, root),
      responses: raw.responses,
    })),
  );
  return { openapi: root.openapi, operations, root };
}

/** The schemas themselves in place of their names: the suites make inputs of them. */
function resolveBody(body: RequestBody, root: JsonSchema): RequestBody {
  const content = Object.entries(body.content).map(([type, media]) => {
    const { $ref } = media.schema;
    const schema = $ref === undefined ? media.schema : resolveReference(String($ref), root);
    return [type, { ...media, schema }] as const;
  });
  return { ...body, content: Object.fromEntries(content) };
}

/** `GET /v1/keys/{id}`: how the suites name an operation. */
export function nameOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** The operation with the name; throws when the document has none. */
export function operationNamed({ operations }: OpenApiDocument, name: string): Operation {
  const found = operations.find((one) => nameOf(one) === name);
  if (found === undefined) throw new Error(`${name} is not in the document`);
  return found;
}

/** The operation that a request reaches; a literal path wins over one with parameters. */
export function findOperation(
  { operations }: OpenApiDocument,
  method: string,
  path: string,
): Operation | undefined {
  const steps = path.split('/');
  const reached = operations.filter(
    (one) => one.method === method && isReached(one.path.split('/'), steps),
  );
  return reached.find((one) => one.path === path) ?? reached[0];
}

function isReached(template: readonly string[], steps: readonly string[]): boolean {
  return (
    template.length === steps.length &&
    template.every((part, index) => part === steps[index] || (part[0] === '{' && steps[index]))
  );
}
