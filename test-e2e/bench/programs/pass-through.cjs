// R: what a proxy in Node costs that does nothing but pass bytes on.
'use strict';
const http = require('node:http');
const { Pool } = require('undici');

const pool = new Pool(process.argv[2], { connections: 128 });
const server = http.createServer(async (request, response) => {
  const { statusCode, headers, body } = await pool.request({
    method: request.method,
    path: request.url,
    headers: { 'content-type': 'application/json' },
    body: request,
  });
  response.writeHead(statusCode, headers);
  body.pipe(response);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
