import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, parseJson } from '@tollgate/core';
import { type ChatQuestion, createAnswerComposer } from '../domain/answer';
import { errorScript, htmlScript, streamScript, wholeScript } from '../domain/answer-script';
import {
  type Behaviour,
  createFailureSchedule,
  type DefaultDirective,
  type Directive,
  mergeDirectives,
  toBehaviour,
} from '../domain/behaviour';
import type { DeliveryEnd, DeliveryLog } from '../domain/delivery-log';
import type { Script } from '../domain/script';
import { answerError, readBody } from './bodies';
import { fromChatBody } from './chat-request';
import { readDirective } from './directive-schema';
import { playScript } from './play-script';

/** The directive under all others, changed at run time by tests. */
export interface RunningDefaults {
  current: DefaultDirective;
}

export interface ChatCompletionsOptions {
  readonly clock: Clock;
  readonly deliveries: DeliveryLog;
  readonly defaults: RunningDefaults;
  readonly bodyBytesMax: number;
  readonly onOver: (state: DeliveryEnd) => void;
}

export type ChatCompletionsHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** `POST /v1/chat/completions`. */
export function createChatCompletions(options: ChatCompletionsOptions): ChatCompletionsHandler {
  const { clock, deliveries, defaults } = options;
  const composeAnswer = createAnswerComposer();
  const schedule = createFailureSchedule();
  let answers = 0;

  const chooseBehaviour = (asked: Directive): Behaviour => {
    const directive = mergeDirectives(defaults.current, asked);
    return toBehaviour(directive, schedule.applies(directive));
  };
  const answer = (question: ChatQuestion, behaviour: Behaviour, exchange: Exchange): void => {
    const { request, response } = exchange;
    answers += 1;
    const createdSeconds = Math.floor(clock.now() / 1_000);
    const identity = { id: `chatcmpl-sim-${createdSeconds}-${answers}`, createdSeconds };
    const requestId = request.headers['x-request-id'];
    const delivery = deliveries.open({
      id: identity.id,
      requestId: typeof requestId === 'string' ? requestId : undefined,
      tag: behaviour.tag,
      model: question.model,
      stream: question.stream,
      promptTokens: question.promptTokens,
    });
    const compose = question.stream ? streamScript : wholeScript;
    const script =
      failureScript(behaviour, request.headers.authorization) ??
      compose(question, behaviour, composeAnswer(question, behaviour), identity);
    playScript(script, response, clock, {
      onHead(status) {
        delivery.status = status;
      },
      onWritten: (tokens, bytes) => deliveries.count(delivery, tokens, bytes),
      onOver(state) {
        deliveries.close(delivery, state);
        options.onOver(state);
      },
    });
  };

  return (request, response) => {
    readBody(request, response, options.bodyBytesMax, (text) => {
      const reading = fromChatBody(parseJson(text));
      if (!reading.ok) {
        answerError(response, 400, { message: reading.problem, param: reading.param });
        return;
      }
      const { question } = reading;
      const directiveReading = readDirective(request.headers, question.lastUserText);
      if (!directiveReading.ok) {
        answerError(response, 400, { message: directiveReading.problem, param: 'messages' });
        return;
      }
      answer(question, chooseBehaviour(directiveReading.directive), { request, response });
    });
  };
}

/** The script of what is no answer at all, when that is what was asked for. */
function failureScript(behaviour: Behaviour, credential: string | undefined): Script | undefined {
  const { status, body } = behaviour.effects;
  if (status !== 200) return errorScript(status, behaviour, credential);
  return body === 'html' ? htmlScript(behaviour) : undefined;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}
