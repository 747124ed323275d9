// A real OpenID Connect provider in a process of its own. Its parent sends the claims that the next
// tokens carry and hears the issuer's address and an acknowledgement of each change.
import { OAuth2Server } from 'oauth2-mock-server';

const server = new OAuth2Server();
let claims = {};

server.service.on('beforeTokenSigning', (token) => {
  Object.assign(token.payload, claims);
});
process.on('message', (message) => {
  claims = message;
  process.send({ applied: true });
});
process.on('disconnect', () => process.exit(0));

await server.issuer.keys.generate('RS256');
await server.start(0, '127.0.0.1');
process.send({ issuer: server.issuer.url });
