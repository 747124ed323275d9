import { type Call, writeApiCall, writeCurl, writeJavaScript, writePython } from './snippet-texts';

const CALL: Call = {
  baseUrl: 'http://127.0.0.1:8080/v1',
  body: { model: 'auto', messages: [{ role: 'user', content: "What's up?" }], stream: true },
};

test('a quote in the text does not end the shell command', () => {
  expect(writeCurl(CALL)).toContain(`"What'\\''s up?"`);
  expect(writeCurl(CALL)).toContain('Bearer $TOLLGATE_API_KEY"');
});

test('Python gets its own words for true, false and nothing', () => {
  const text = writePython({ ...CALL, body: { a: true, b: false, c: null, d: [{ e: true }] } });
  expect(text).toContain('    a=True,\n    b=False,\n    c=None,\n    d=[{"e": True}],');
});

test('JavaScript gets names without quotes, and reads a stream where one was asked for', () => {
  const text = writeJavaScript(CALL);
  expect(text).toContain('  model: "auto",');
  expect(text).toContain('for await (const chunk of stream)');
  expect(writeJavaScript({ ...CALL, body: {} })).toContain('answer.choices[0].message.content');
});

test('a key that is known stands in the call', () => {
  for (const write of [writeCurl, writePython, writeJavaScript]) {
    expect(write({ ...CALL, key: 'the-key' })).toContain('the-key');
  }
});

test('a header that bounds the cost is in every language', () => {
  const call = { baseUrl: 'https://host/v1', body: { model: 'auto' } };
  const bounded = { ...call, headers: { 'X-Tollgate-Max-Cost': '0.05' } };
  expect(writeCurl(bounded)).toContain("-H 'X-Tollgate-Max-Cost: 0.05' \\");
  expect(writePython(bounded)).toContain('extra_headers={"X-Tollgate-Max-Cost": "0.05"},');
  expect(writeJavaScript(bounded)).toContain('}, { headers: { "X-Tollgate-Max-Cost": "0.05" } });');
});

test('what is asked stands in lines that its card holds, in every language', () => {
  const body = { model: 'auto', messages: [{ role: 'user', content: 'Hello' }] };
  const call = { baseUrl: 'http://127.0.0.1:8080/v1', body };
  expect(writeCurl(call)).toContain(`  -d '{
  "model": "auto",
  "messages": [
    {
      "role": "user",
      "content": "Hello"
    }
  ]
}'`);
  for (const write of [writeCurl, writePython, writeJavaScript]) {
    const asked = write(call)
      .split('\n')
      .filter((line) => /role|"Hello"/.test(line));
    for (const line of asked) expect(line.length).toBeLessThanOrEqual(38);
  }
});

test('what is not a number yet is left out of a call, and what means nothing is not', () => {
  const body = { name: "Ann's", requests_per_minute: Number.NaN, budget: null, models: [] };
  expect(writeApiCall('POST', 'https://api.example.com/v1/keys', body)).toBe(`curl -X POST \
https://api.example.com/v1/keys \\
  -H "Authorization: Bearer $TOLLGATE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
  "name": "Ann'\\''s",
  "budget": null,
  "models": []
}'`);
});
