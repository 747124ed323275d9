import { silentLogger } from '@tollgate/core';
import { createTestMongo } from '@tollgate/testkit';
import { afterId, beforeId, beginningWith, documentsOf, openMongo } from './index';

async function storeTexts(texts: readonly string[]) {
  const server = await createTestMongo();
  const mongo = openMongo({ uri: server.uriFor('test'), appName: 'test', logger: silentLogger });
  await mongo.connect();
  const documents = documentsOf<{ readonly _id: string }>(mongo, 'texts');
  for (const _id of texts) await documents.insertOrReject({ _id });
  return {
    async list(filter: Parameters<typeof documents.list>[0]) {
      const found = await documents.list(filter, { sort: { _id: 1 } });
      return found.map(({ _id }) => _id);
    },
    async [Symbol.asyncDispose]() {
      await mongo.close();
      await server.close();
    },
  };
}

test('texts that begin with a prefix are found whatever follows it, and no others', async () => {
  const own = ['ab', 'ab ', 'ab~', 'ab\u{1f511}', 'abc'];
  await using texts = await storeTexts(['a', 'aa', 'ac', 'b', ...own]);
  await expect(texts.list({ _id: beginningWith('ab') })).resolves.toEqual([
    'ab',
    'ab ',
    'abc',
    'ab~',
    'ab\u{1f511}',
  ]);
  await expect(texts.list({ _id: beginningWith('ab', 'abc') })).resolves.toEqual([
    'ab~',
    'ab\u{1f511}',
  ]);
  // What the page before ended with may have another text by now: the prefix still holds.
  await expect(texts.list({ _id: beginningWith('ab', 'a') })).resolves.toHaveLength(own.length);
});

test('a page is of what comes before or after an id, and the first one of everything', async () => {
  await using texts = await storeTexts(['a', 'b', 'c']);
  await expect(texts.list(beforeId('b'))).resolves.toEqual(['a']);
  await expect(texts.list(afterId('b'))).resolves.toEqual(['c']);
  await expect(texts.list({ ...beforeId(undefined), ...afterId(undefined) })).resolves.toHaveLength(
    3,
  );
});
