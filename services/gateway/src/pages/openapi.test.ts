import { ROUTES } from '../routes/table';
import { allowNull, createOpenApiDocument } from './openapi';

interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { type?: string }>> };
}
interface DocumentedOperation {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Record<string, unknown> }>>;
}

const document = createOpenApiDocument(ROUTES, '1') as Documented;

test('every object that an operation takes or answers has a name', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => [`${method} ${path}`, one] as const),
  );
  expect(operations.length).toBeGreaterThan(50);
  for (const [name, { requestBody, responses }] of operations) {
    const contents = [requestBody, ...Object.values(responses)].flatMap((one) =>
      Object.values(one?.content ?? {}),
    );
    for (const { schema } of contents) expect([name, schema.type]).not.toEqual([name, 'object']);
  }
});

test('what several operations answer is one schema', () => {
  const key = { $ref: '#/components/schemas/ApiKey' };
  const { schemas } = document.components;
  expect(schemas.GetKeysIdAnswer).toMatchObject({ properties: { data: key } });
  expect(schemas.PatchKeysIdAnswer).toMatchObject({ properties: { data: key } });
  expect(schemas.GetKeysAnswerData).toMatchObject({ properties: { items: { items: key } } });
});

test('a literal that may be null says so', () => {
  const description = 'Or nothing.';
  const given = { a: [{ type: ['boolean', 'null'], enum: [false], description }] };
  expect(allowNull(given)).toMatchObject({
    a: [{ anyOf: [{ type: 'boolean', enum: [false] }, { type: 'null' }], description }],
  });
  const text = { type: ['string', 'null'], enum: ['a', null] };
  expect(allowNull({ text })).toMatchObject({ text });
});
