import type { completionV1 } from '@tollgate/protos';
import { frameOf, type PresenterName } from '../../../http/presenter';

/** The public id of an answer: client libraries expect the prefix. */
function answerId(requestId: string): string {
  return `chatcmpl-${requestId}`;
}

function usageJson(usage: completionV1.Usage): string {
  const { promptTokens, completionTokens, totalTokens } = usage;
  return (
    `{"prompt_tokens":${promptTokens},"completion_tokens":${completionTokens},` +
    `"total_tokens":${totalTokens}}`
  );
}

const NO_USAGE: completionV1.Usage = {
  promptTokens: 0,
  completionTokens: 0,
  totalTokens: 0,
  cachedTokens: 0,
};

/** The whole body around the finished `choices` bytes, which are copied and never parsed. */
export function toAnswerBytes(
  presenter: PresenterName,
  requestId: string,
  answer: completionV1.CompleteResponse,
): Buffer {
  const frame = frameOf(presenter);
  const head =
    `${frame.before}{"id":${JSON.stringify(answerId(requestId))},"object":"chat.completion",` +
    `"created":${answer.created},"model":${JSON.stringify(answer.model)},"choices":`;
  const tail = `,"usage":${usageJson(answer.usage ?? NO_USAGE)}}${frame.after}`;
  return Buffer.concat([Buffer.from(head), answer.choices, Buffer.from(tail)]);
}

/** Makes the frames of one stream; what is the same in all of them is written once. */
export interface FrameWriter {
  /** One write for all events that came together. */
  chunk(choices: readonly Buffer[]): Buffer;
  /** The last bytes: the usage frame when it was asked for, and the end marker. */
  end(usage: completionV1.Usage | undefined): Buffer;
}

const FRAME_END = Buffer.from('}\n\n');
const DONE = 'data: [DONE]\n\n';

/** Frames carry our id, and the created time and model of the head. */
export function createFrameWriter(requestId: string, head: completionV1.StreamHead): FrameWriter {
  const text =
    `data: {"id":${JSON.stringify(answerId(requestId))},"object":"chat.completion.chunk",` +
    `"created":${head.created},"model":${JSON.stringify(head.model)},"choices":`;
  const prefix = Buffer.from(text);
  return {
    chunk(choices) {
      const parts: Buffer[] = [];
      for (const each of choices) parts.push(prefix, each, FRAME_END);
      return Buffer.concat(parts);
    },
    end(usage) {
      if (usage === undefined) return Buffer.from(DONE);
      return Buffer.from(`${text}[],"usage":${usageJson(usage)}}\n\n${DONE}`);
    },
  };
}

/** A failure after the head: the failure body as the last frame, without an end marker. */
export function toFailureFrame(body: string): Buffer {
  return Buffer.from(`data: ${body}\n\n`);
}
