import type { Story } from '../../api/schemas';

/** A vendor call that answered after others had failed. */
interface AnsweringCall {
  /** Among all calls of the request, from 1. */
  readonly number: number;
  readonly model: string;
  readonly channelId: string;
}

type Attempted = Pick<
  Story,
  'attempts' | 'channel_id' | 'failed_attempts' | 'first_token_ms' | 'model' | 'status'
>;

/**
 * The call that helped where others did not. Undefined where the only one answered, where none did,
 * and for those who are told of no calls.
 */
export function answeringCall(story: Attempted): AnsweringCall | undefined {
  const { attempts, channel_id: channelId, failed_attempts, model } = story;
  const failed = failed_attempts?.length ?? 0;
  const isAnswered = story.status === 'succeeded' || story.first_token_ms !== null;
  if (failed === 0 || attempts <= failed || !isAnswered || !channelId) return undefined;
  return { number: attempts, model, channelId };
}
