import type { ChatBody } from '../../api/chat';
import type { Candidate } from '../../api/schemas';
import { formatNumberOf } from '../../format/quantity';
import type { Answer } from './use-chat';

type Row = Pick<Candidate, 'model' | 'rank' | 'eligible' | 'reasons' | 'estimated_amount'>;

/**
 * One row for each model, its channels merged: whether it is asked first, or why it is not asked.
 * Users see no channels, so what speaks for one that can serve is left out; of one that cannot,
 * completion tells only why not (`explain.ts`, where a test holds it to that).
 */
export function mergeByModel<One extends Row>(candidates: readonly One[]): readonly One[] {
  const able = candidates.filter(({ eligible }) => eligible);
  const models = [...new Set(candidates.map(({ model }) => model))];
  const rows = models.flatMap((model) => {
    const own = candidates.filter((one) => one.model === model);
    const ownAble = own.filter(({ eligible }) => eligible);
    const best = ownAble[0] ?? own[0];
    if (best === undefined) return [];
    const why = ownAble.length === 0 ? new Set(own.flatMap(({ reasons }) => reasons)) : [];
    const order = best === able[0] ? ['asked first'] : ownAble.length === 0 ? [] : ['asked after'];
    const ways = ownAble.length > 1 ? [`${formatNumberOf(ownAble.length, 'way')} to it`] : [];
    return [{ ...best, reasons: [...order, ...ways, ...why] }];
  });
  // Places of channels that are merged would be gaps between the rows.
  return rows.map((row, index) => ({ ...row, rank: index + 1 }));
}

/** An explanation, and the request that was explained. */
interface Explained {
  readonly request: ChatBody | undefined;
  readonly candidates: readonly Pick<Row, 'model' | 'eligible'>[];
}

/** Why an answer to the very request is of another model than the one that is asked first. */
export function describeFallback(
  { request, candidates }: Explained,
  answer: Pick<Answer, 'asked' | 'model'> | undefined,
): string | undefined {
  if (JSON.stringify(request) !== JSON.stringify(answer?.asked)) return undefined;
  const answeredBy = answer?.model;
  const first = candidates.find(({ eligible }) => eligible)?.model;
  const isOther = first !== answeredBy && candidates.some(({ model }) => model === answeredBy);
  if (first === undefined || !isOther) return undefined;
  return `The answer above is of ${answeredBy}, though ${first} is asked first: its story says why.`;
}
