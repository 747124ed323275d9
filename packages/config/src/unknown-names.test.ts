import { describeUnknownName, findUnknownNames } from './index';

const known = ['TOLLGATE_HTTP_PORT', 'TOLLGATE_ADMIN_PORT', 'TOLLGATE_DATA_DIR', 'MONGODB_URI'];

test('a name that nothing reads is reported with the name it was meant to be', () => {
  const unknown = findUnknownNames({ TOLLGATE_HTPT_PORT: '1', TOLLGATE_HTTP_PORT: '2' }, known);
  expect(unknown.map(describeUnknownName)).toEqual([
    'TOLLGATE_HTPT_PORT is not a known name; did you mean TOLLGATE_HTTP_PORT?',
  ]);
});

test('a name that resembles none gets no guess', () => {
  const unknown = findUnknownNames({ TOLLGATE_COLOUR_OF_SKY: 'blue' }, known);
  expect(unknown).toEqual([{ name: 'TOLLGATE_COLOUR_OF_SKY', suggestion: undefined }]);
});

test('service links that Kubernetes injects are ignored', () => {
  const environment = {
    TOLLGATE_PORT: 'tcp://10.0.0.1:8080',
    TOLLGATE_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
    TOLLGATE_PORT_8080_TCP_ADDR: '10.0.0.1',
    TOLLGATE_PORT_8080_TCP_PORT: '8080',
    TOLLGATE_PORT_8080_TCP_PROTO: 'tcp',
    TOLLGATE_SERVICE_HOST: '10.0.0.1',
    TOLLGATE_SERVICE_PORT: '8080',
    TOLLGATE_SERVICE_PORT_HTTP: '8080',
    TOLLGATE_BILLING_PORT: 'tcp://10.0.0.2:7104',
    TOLLGATE_BILLING_SERVICE_HOST: '10.0.0.2',
  };
  expect(findUnknownNames(environment, known)).toEqual([]);
});

test('the same names with a value of our own are reported', () => {
  const unknown = findUnknownNames({ TOLLGATE_PORT: '8080' }, known);
  expect(unknown.map(({ name }) => name)).toEqual(['TOLLGATE_PORT']);
});

test('names of other products, of clients and of test suites are none of our business', () => {
  const environment = { HOME: '/root', TOLLGATE_TEST_KAFKA: 'a:1', TOLLGATE_API_KEY: 'k' };
  expect(findUnknownNames(environment, known)).toEqual([]);
});
