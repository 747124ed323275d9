import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, parseJson } from '@tollgate/core';
import { type Answer, type ChatQuestion, createAnswerComposer } from '../domain/answer';
import { errorScript, htmlScript, streamScript, wholeScript } from '../domain/answer-script';
import {
  type Behavior,
  createFailureSchedule,
  type Directive,
  mergeDirectives,
  toBehavior,
} from '../domain/behavior';
import type { DeliveryLog, DeliveryState } from '../domain/delivery-log';
import { GOOD_ANSWER } from '../domain/effects';
import type { AnswerIdentity, Script } from '../domain/script';
import { answerError, readBody } from './bodies';
import { fromChatBody } from './chat-request';
import { isEmptyReading, readDirective } from './directive-schema';
import { playScript } from './play-script';

/** The directive under all others, changed at run time by tests. */
export interface RunningDefaults {
  current: Directive;
}

export interface ChatCompletionsOptions {
  readonly clock: Clock;
  readonly deliveries: DeliveryLog;
  readonly defaults: RunningDefaults;
  readonly tokens: number;
  readonly bodyBytesMax: number;
  readonly onOver: (state: Exclude<DeliveryState, 'running'>) => void;
}

export type ChatCompletionsHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** `POST /v1/chat/completions`. */
export function createChatCompletions(options: ChatCompletionsOptions): ChatCompletionsHandler {
  const { clock, deliveries, defaults } = options;
  const composeAnswer = createAnswerComposer();
  const schedule = createFailureSchedule();
  let answers = 0;

  const chooseBehavior = (wish: Directive): Behavior => {
    const directive = mergeDirectives(defaults.current, wish);
    return toBehavior(directive, options, schedule.applies(directive));
  };
  const answer = (question: ChatQuestion, behavior: Behavior, exchange: Exchange): void => {
    const { request, response } = exchange;
    answers += 1;
    const createdSeconds = Math.floor(clock.now() / 1_000);
    const identity = { id: `chatcmpl-sim-${createdSeconds}-${answers}`, createdSeconds };
    const requestId = request.headers['x-request-id'];
    const delivery = deliveries.open({
      id: identity.id,
      requestId: typeof requestId === 'string' ? requestId : undefined,
      tag: behavior.tag,
      model: question.model,
      stream: question.stream,
      promptTokens: question.promptTokens,
    });
    const script =
      failureScript(behavior, request.headers.authorization) ??
      answerScript(question, behavior, composeAnswer(question, behavior), identity);
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
    readBody(request, options.bodyBytesMax, (text) => {
      if (text === undefined) {
        answerError(response, 413);
        return;
      }
      const reading = fromChatBody(parseJson(text));
      if (!reading.ok) {
        answerError(response, 400, { message: reading.problem, param: reading.param });
        return;
      }
      const { question } = reading;
      const wish = readDirective(request.headers, question.lastUserText);
      if (!wish.ok) {
        answerError(response, 400, { message: wish.problem, param: 'messages' });
        return;
      }
      const ordinary = isEmptyReading(wish) && defaults.current === NO_DEFAULTS;
      const behavior = ordinary ? ordinaryBehavior(options.tokens) : chooseBehavior(wish.directive);
      answer(question, behavior, { request, response });
    });
  };
}

/** The script of what is no answer at all, when that is what was asked for. */
function failureScript(behavior: Behavior, credential: string | undefined): Script | undefined {
  const { status, body } = behavior.effects;
  if (status !== 200) return errorScript(status, behavior, credential);
  return body === 'html' ? htmlScript(behavior) : undefined;
}

function answerScript(
  question: ChatQuestion,
  behavior: Behavior,
  answer: Answer,
  identity: AnswerIdentity,
): Script {
  const compose = question.stream ? streamScript : wholeScript;
  return compose(question, behavior, answer, identity);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Defaults that ask for nothing; compared by identity to skip all merging. */
export const NO_DEFAULTS: Directive = Object.freeze({});

function ordinaryBehavior(tokens: number): Behavior {
  return {
    latencyMs: 0,
    firstTokenMs: 0,
    tokenIntervalMs: 0,
    tokens,
    text: undefined,
    thoughts: undefined,
    effects: GOOD_ANSWER,
    cutAfterTokens: undefined,
    tag: undefined,
  };
}
