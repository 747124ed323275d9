import { nano } from '@tollgate/core';
import { modelNamed, refusalOf } from '../testing/fixtures';
import { checkModelSettings, isModelName, pricesAt, withPrices } from './model';

describe('models', () => {
  test.each(['sim-2024-05-13', 'sim-20240513', 'sim-0613', 'sim-v2', 'sim-latest', 'auto', 'a:b'])(
    'the name %s is refused',
    (name) => {
      expect(isModelName(name)).toBe(false);
    },
  );

  test.each(['sim-4', 'sim-4.1-mini', 'sim-large', 'o3'])('the name %s is allowed', (name) => {
    expect(isModelName(name)).toBe(true);
  });

  test.each([
    ['sim-preview', 'name must not end in -preview'],
    ['sim-2024-05-13', 'name must not end in -2024-05-13'],
    ['Sim', 'name must be lower-case letters'],
  ])('of the refused name %s it is told why', (name, told) => {
    const prices = { prompt: nano(1n), completion: nano(1n), cachedPrompt: nano(1n) };
    const settings = { ...modelNamed('m'), name, prices };
    const { publicMessage } = refusalOf(() => checkModelSettings(settings));
    expect(publicMessage).toContain(told);
  });

  test('a cached prompt cannot cost more than a fresh one', () => {
    const { prices: _, ...rest } = modelNamed('m');
    const prices = { prompt: nano(1n), completion: nano(1n), cachedPrompt: nano(2n) };
    expect(refusalOf(() => checkModelSettings({ ...rest, prices })).param).toBe(
      'pricing.cached_prompt',
    );
  });

  test('a changed price is a new version; the same price is none', () => {
    const first = modelNamed('m').prices;
    const dearer = { prompt: nano(5n), completion: nano(6n), cachedPrompt: nano(5n) };
    const second = withPrices(first, dearer, 1000);
    expect(second.map((price) => price.version)).toEqual([1, 2]);
    expect(withPrices(second, dearer, 2000)).toBe(second);
    expect(pricesAt({ ...modelNamed('m'), prices: second }, 999).version).toBe(1);
    expect(pricesAt({ ...modelNamed('m'), prices: second }, 1000).version).toBe(2);
  });

  test('the same price comes into force now where another clock said a later time', () => {
    const dearer = { prompt: nano(5n), completion: nano(6n), cachedPrompt: nano(5n) };
    const ahead = withPrices(modelNamed('m').prices, dearer, 9000);
    const said = withPrices(ahead, dearer, 1000);
    expect(said).toEqual([ahead[0], { ...dearer, version: 2, effectiveAtMs: 1000 }]);
    expect(withPrices(said, dearer, 2000)).toBe(said);
  });

  test('a price that nobody set is known as such until an operator says one, even the same', () => {
    const unset = { prompt: nano(1n), completion: nano(3n), cachedPrompt: nano(1n) };
    const first = withPrices([], { ...unset, source: 'default' }, 1000);
    expect(first).toEqual([{ ...unset, source: 'default', version: 1, effectiveAtMs: 1000 }]);
    expect(withPrices(first, { ...unset, source: 'default' }, 2000)).toBe(first);
    const said = withPrices(first, unset, 2000);
    expect(said).toEqual([{ ...unset, version: 1, effectiveAtMs: 1000 }]);
    const dearer = withPrices(first, { ...unset, prompt: nano(2n) }, 2000);
    expect(dearer.map(({ source }) => source)).toEqual(['default', undefined]);
  });
});
