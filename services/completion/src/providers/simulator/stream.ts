export { createStreamReader } from '../openai/stream';
