import { createDeliveredText } from './delivered-text';

it('keeps the text of each choice apart', () => {
  const delivered = createDeliveredText();
  delivered.add('Hel');
  delivered.add('Gü', 2);
  delivered.add('lo');
  delivered.add('ten', 2);
  expect(delivered.texts()).toEqual(['Hello', 'Güten']);
  expect(delivered.bytes).toBe(11);
});
