export { checkHead, parseCompletion } from '../openai/response';
