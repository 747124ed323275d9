import type { OperatorRequestStory } from '@tollgate/gateway';
import { describeDiscount, describeSet } from './describe-money';

/** What everybody paid for the model of a request; null where it cannot be told. */
export type ListPrice = NonNullable<OperatorRequestStory['list_price']>;
export type ChangedPrice = Pick<ListPrice, 'before' | 'changed_by' | 'completion' | 'since'> &
  Pick<ListPrice, 'prompt'> & { readonly model: string };

type Paid = Pick<OperatorRequestStory['prices'], 'completion' | 'prompt'>;

/** `10 % more than the list price: 110.00 in place of 100.00 for a million tokens of the prompt`. */
export function describePaid(paid: Paid, list: ListPrice): string | undefined {
  const share = describeDiscount(list.discount);
  if (share === undefined) return undefined;
  const isPrompt = paid.prompt !== list.prompt;
  const [price, instead] = isPrompt
    ? [paid.prompt, list.prompt]
    : [paid.completion, list.completion];
  const tokens = isPrompt ? 'the prompt' : 'the answer';
  const paidFor = `${price} in place of ${instead} for a million tokens of ${tokens}`;
  return `${share} the list price: ${paidFor}${describeSet(list.discount_set)}`;
}

/** The newest charge of each model, the model charged last first; the charges are newest first. */
export function newestOfModels<Charge extends { readonly model: string | null }>(
  charges: readonly Charge[],
): readonly Charge[] {
  const newest = new Map<string | null, Charge>();
  for (const charge of charges) if (!newest.has(charge.model)) newest.set(charge.model, charge);
  return [...newest.values()];
}

/** `the price of big changed 2026-10-02T10:00:00.000Z by ann@acme.test: 200.00, before 100.00, ...`. */
export function describeChangedPrice({ model, ...change }: ChangedPrice): string {
  const { before, changed_by: by, completion, prompt, since } = change;
  const whom = by === null ? '' : ` by ${by}`;
  const kinds = [
    { now: prompt, was: before?.prompt, tokens: 'the prompt' },
    { now: completion, was: before?.completion, tokens: 'the answer' },
  ];
  const changed = kinds.filter(({ now, was }) => now !== was);
  const told = changed.map(({ now, was, tokens }) => {
    const earlier = was === undefined ? '' : `, before ${was},`;
    return `${now}${earlier} for a million tokens of ${tokens}`;
  });
  // What is left are the prices of cached tokens.
  return `the price of ${model} changed ${since}${whom}: ${told.join(', and ') || 'of cached tokens'}`;
}
