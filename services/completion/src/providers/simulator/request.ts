// The simulator speaks the vendor protocol, so that what it proves holds for real vendors too.
export { buildRequest } from '../openai/request';
