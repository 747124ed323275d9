// A real OpenID Connect provider in a process of its own. Its parent sends the claims that the next
// tokens carry and hears the issuer's address and an acknowledgement of each change.
'use strict';

async function run() {
  const { OAuth2Server } = await import('oauth2-mock-server');
  const provider = new OAuth2Server();
  let person = {};
  provider.service.on('beforeTokenSigning', (token) => {
    Object.assign(token.payload, person);
  });
  process.on('message', (claims) => {
    person = claims;
    process.send({ applied: true });
  });
  process.on('disconnect', () => process.exit(0));
  await provider.issuer.keys.generate('RS256');
  await provider.start(0, '127.0.0.1');
  process.send({ issuer: provider.issuer.url });
}

void run();
