import { describeServices } from './describe-services';

const alert = (type: 'service' | 'channel', severity: 'critical' | 'warning', title = type) => ({
  subject: { type, id: '' },
  severity,
  title,
});

test('all services answer where no alert is about one', () => {
  expect(describeServices(true, [alert('channel', 'critical')])).toMatchObject({
    tone: 'good',
    label: 'All answer',
  });
});

test('a service that is silent is named, and a gateway that is not ready comes first', () => {
  const silent = { ...alert('service', 'critical'), title: 'billing does not answer' };
  expect(describeServices(true, [silent])).toMatchObject({
    tone: 'bad',
    note: 'billing does not answer',
  });
  expect(describeServices(false, [silent])).toMatchObject({ label: 'Not ready' });
});

test('an instance that refuses is no silence, and nothing is said before somebody answered', () => {
  expect(describeServices(true, [alert('service', 'warning')])).toMatchObject({ tone: 'warn' });
  expect(describeServices(undefined, undefined)).toMatchObject({ tone: 'idle' });
});
