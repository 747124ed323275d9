import { HOUR_MS } from '@tollgate/core';
import { databaseFailure, documentsOf, isDuplicateKey, type MongoStore } from '@tollgate/mongo';
import type { AnnouncedRequest, AnnouncedRequestState } from '../domain/announced-request';
import type { AnswerStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

interface AnswerDocument {
  readonly _id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly request_id: string;
  readonly runs_until: Date;
  readonly expires_at: Date;
  readonly request: string;
  readonly ended?: true;
  readonly answer?: string;
}

interface BytesDocument {
  readonly _id: string;
  readonly account_id: string;
  readonly hour: number;
  readonly bytes: number;
  readonly expires_at: Date;
}

/** Longer than any sum looks back. */
const BYTES_KEPT_HOURS = 26;

function toDocument({ id: _id, ...request }: AnnouncedRequest): AnswerDocument {
  return {
    _id,
    account_id: request.accountId,
    key_id: request.keyId,
    request_id: request.requestId,
    runs_until: new Date(request.runsUntilAtMs),
    expires_at: new Date(request.expiresAtMs),
    request: request.request,
  };
}

function fromDocument({
  _id: id,
  request,
  answer,
  ...document
}: AnswerDocument): AnnouncedRequestState {
  return {
    id,
    request,
    answer,
    accountId: document.account_id,
    keyId: document.key_id,
    requestId: document.request_id,
    runsUntilAtMs: document.runs_until.getTime(),
    expiresAtMs: document.expires_at.getTime(),
    ended: document.ended === true,
  };
}

/** Announced requests and their answers in the document store. */
export function createAnswerStore(mongo: MongoStore): AnswerStore {
  const answers = documentsOf<AnswerDocument>(mongo, COLLECTIONS.answers);
  const bytes = documentsOf<BytesDocument>(mongo, COLLECTIONS.answerBytes);
  const findOne = async (
    filter: { readonly _id: string } | { readonly account_id: string; readonly request_id: string },
  ) => {
    const found = await answers.find(filter);
    return found && fromDocument(found);
  };
  const running = (accountId: string, requestId: string) => ({
    request_id: requestId,
    account_id: accountId,
    ended: { $exists: false },
  });
  return {
    insert: (request) => answers.insert(toDocument(request)),
    find: (id) => findOne({ _id: id }),
    findByRequest: (accountId, requestId) =>
      findOne({ account_id: accountId, request_id: requestId }),
    async replace({ id, requestId }, next) {
      const { _id: _, ...$set } = toDocument(next);
      const update = { $set, $unset: { ended: '', answer: '' } } as const;
      const seen = { _id: id, request_id: requestId };
      try {
        const { matchedCount } = await answers.collection().updateOne(seen, update);
        return matchedCount === 1;
      } catch (error) {
        // The next request is refused: a record of its id is there.
        if (isDuplicateKey(error)) return false;
        throw databaseFailure(error);
      }
    },
    end(accountId, requestId, answer) {
      const $set =
        answer === undefined ? { ended: true as const } : { ended: true as const, answer };
      return answers.update(running(accountId, requestId), { $set });
    },
    async drop(accountId, requestId) {
      const found = await answers.take(running(accountId, requestId));
      return found && fromDocument(found);
    },
    refuse(accountId, requestId, untilAtMs) {
      const expires_at = new Date(untilAtMs);
      return answers.insert({
        // As an ended request of nobody's key, which nothing else finds or changes.
        _id: `refused:${requestId}`,
        account_id: accountId,
        key_id: '',
        request_id: requestId,
        runs_until: expires_at,
        expires_at,
        request: '',
        ended: true,
      });
    },
    countBytes(accountId, hour, more) {
      const expires_at = new Date((hour + BYTES_KEPT_HOURS) * HOUR_MS);
      const $setOnInsert = { account_id: accountId, hour, expires_at };
      const _id = `${accountId}:${hour}`;
      return bytes.upsert({ _id }, { $inc: { bytes: more }, $setOnInsert });
    },
    async bytesSince(accountId, hour) {
      const found = await bytes.list({ account_id: accountId, hour: { $gte: hour } });
      return found.reduce((sum, each) => sum + Number(each.bytes), 0);
    },
  };
}
