import fc from 'fast-check';
import { writeVectors } from './vectors';

const base64Of = (numbers: readonly number[]) =>
  Buffer.from(Float32Array.from(numbers).buffer).toString('base64');
const toChoices = (vectors: readonly (readonly number[])[]) =>
  Buffer.from(JSON.stringify(vectors.map(base64Of)));

test('vectors of any length are written as JSON writes their numbers', async () => {
  const float = fc.float({ noNaN: true, noDefaultInfinity: true });
  const vector = fc.oneof(fc.array(float, { maxLength: 5 }), fc.array(float, { minLength: 100 }));
  await fc.assert(
    fc.asyncProperty(fc.array(vector, { maxLength: 5 }), async (vectors) => {
      const data = (embeddings: readonly unknown[]) =>
        embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding }));
      const choices = toChoices(vectors);
      const floats = vectors.map((each) => Array.from(Float32Array.from(each)));
      expect((await writeVectors(choices, 'float')).toString()).toBe(JSON.stringify(data(floats)));
      expect((await writeVectors(choices, 'base64')).toString()).toBe(
        JSON.stringify(data(vectors.map(base64Of))),
      );
    }),
  );
});

test('others have many turns while a million numbers are written', async () => {
  const vector = Array.from({ length: 50_000 }, (_, index) => Math.sin(index));
  const choices = toChoices(Array.from({ length: 20 }, () => vector));
  let turns = 0;
  let over = false;
  const turn = () => {
    turns += 1;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  const data = JSON.parse((await writeVectors(choices, 'float')).toString()) as object[];
  over = true;
  expect(data).toHaveLength(20);
  expect(turns).toBeGreaterThan(100);
});
