export { toFailure } from '../openai/errors';
