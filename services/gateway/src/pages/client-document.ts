type Json = Readonly<Record<string, unknown>>;

/** The fields of an OpenAPI 3.1 document that hold schemas. */
interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> };
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Json }>>;
}

/** The document as generators of client libraries read it right. */
export function toClientDocument<Given extends object>(document: Given): Given {
  return nameSchemas(allowNull(document) as Given);
}

/** A literal that may be null as two alternatives: its list of values has no null, which forbids it. */
function allowNull(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(allowNull);
  if (typeof part !== 'object' || part === null) return part;
  const { type, enum: values, ...rest }: Json = mapFields(part as Json, allowNull);
  const kept = {
    ...(type === undefined ? {} : { type }),
    ...(values === undefined ? {} : { enum: values }),
  };
  if (!Array.isArray(type) || !Array.isArray(values)) return { ...kept, ...rest };
  if (!type.includes('null') || values.includes(null)) return { ...kept, ...rest };
  const [only] = (type as readonly unknown[]).filter((one) => one !== 'null');
  return { anyOf: [{ type: only, enum: values }, { type: 'null' }], ...rest };
}

/**
 * The document with every object that an operation takes or answers among its components, named after
 * the operation unless it has a name. Generators of client libraries make one type of each.
 */
function nameSchemas<Given extends object>(document: Given): Given {
  const { paths = {}, components = {} } = document as Document;
  const schemas: Record<string, object> = { ...components.schemas };
  const toReference = (name: string, schema: Json): Json => {
    if (schema.type !== 'object') return schema;
    schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  const nameAnswer = (name: string, schema: Json): Json => {
    const properties = schema.properties as { readonly data?: Json; success?: unknown } | undefined;
    if (properties?.data === undefined || properties.success === undefined) {
      return toReference(name, schema);
    }
    const data = toReference(`${name}Data`, properties.data);
    return toReference(name, { ...schema, properties: { ...properties, data } });
  };
  const named = mapFields(paths, (methods) =>
    mapFields(methods, (operation) => {
      const base = pascalCaseOf(operation.operationId);
      const { requestBody, responses } = operation;
      return {
        ...operation,
        ...(requestBody === undefined
          ? {}
          : { requestBody: inContent(requestBody, (one) => toReference(`${base}Body`, one)) }),
        responses: mapFields(responses, (response, status) =>
          inContent(response, (one) =>
            nameAnswer(`${base}${status === 'default' ? 'Failure' : 'Answer'}`, one),
          ),
        ),
      };
    }),
  );
  return { ...document, paths: named, components: { ...components, schemas } };
}

/** `get_keys_id` as `GetKeysId`. */
function pascalCaseOf(operationId: string): string {
  return operationId.replace(/(?:^|_)(\w)/g, (_match, first: string) => first.toUpperCase());
}

function inContent(holder: Content, change: (schema: Json) => Json): Content {
  const { content } = holder;
  if (content === undefined) return holder;
  const changed = mapFields(content, (media) =>
    media.schema === undefined ? media : { ...media, schema: change(media.schema) },
  );
  return { ...holder, content: changed };
}

function mapFields<Field, Result>(
  fields: Readonly<Record<string, Field>>,
  change: (field: Field, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, change(field, name)]),
  );
}
