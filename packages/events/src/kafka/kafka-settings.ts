import { readFileSync } from 'node:fs';
import type { KafkaConfig } from 'kafkajs';

/** The configuration members that say how the brokers are reached. */
export interface KafkaSettings {
  readonly kafkaBrokers: readonly string[] | undefined;
  readonly kafkaTls: boolean;
  readonly kafkaTlsCaFile: string | undefined;
  readonly kafkaTlsCertFile: string | undefined;
  readonly kafkaTlsKeyFile: string | undefined;
  readonly kafkaSasl: 'none' | 'plain' | 'scram-sha-256' | 'scram-sha-512' | 'oauthbearer';
  readonly kafkaSaslUsername: string | undefined;
  readonly kafkaSaslPassword: string | undefined;
  readonly kafkaTokenUrl: string | undefined;
}

/** Where the brokers are, and how we and they prove who we are. */
export interface KafkaEndpoint {
  /** `host:port` of one or more brokers; the rest are found by asking them. */
  readonly brokers: readonly string[];
  readonly ssl?: KafkaConfig['ssl'];
  readonly sasl?: KafkaConfig['sasl'];
}

/** Reads the PEM files; throws when a setting is missing that another one needs. */
export function toKafkaEndpoint(settings: KafkaSettings): KafkaEndpoint {
  const { kafkaBrokers: brokers = [], kafkaSasl } = settings;
  return {
    brokers,
    ...(settings.kafkaTls ? { ssl: readTls(settings) } : {}),
    ...(kafkaSasl === 'none' ? {} : { sasl: readSasl(kafkaSasl, settings) }),
  };
}

function readTls(settings: KafkaSettings): NonNullable<KafkaConfig['ssl']> {
  const { kafkaTlsCaFile: ca, kafkaTlsCertFile: cert, kafkaTlsKeyFile: key } = settings;
  if ((cert === undefined) !== (key === undefined)) {
    throw new Error('KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE need each other');
  }
  return {
    ...(ca === undefined ? {} : { ca: readFileSync(ca) }),
    ...(cert === undefined ? {} : { cert: readFileSync(cert) }),
    ...(key === undefined ? {} : { key: readFileSync(key) }),
  };
}

function readSasl(
  mechanism: Exclude<KafkaSettings['kafkaSasl'], 'none'>,
  { kafkaSaslUsername: username, kafkaSaslPassword: password, kafkaTokenUrl }: KafkaSettings,
): NonNullable<KafkaConfig['sasl']> {
  if (username === undefined || password === undefined) {
    throw new Error('KAFKA_SASL_MECHANISM needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD');
  }
  switch (mechanism) {
    // One by one, because each is a type of its own to the library.
    case 'plain':
      return { mechanism, username, password };
    case 'scram-sha-256':
      return { mechanism, username, password };
    case 'scram-sha-512':
      return { mechanism, username, password };
    case 'oauthbearer': {
      if (kafkaTokenUrl === undefined) throw new Error('oauthbearer needs KAFKA_SASL_TOKEN_URL');
      const client = { url: kafkaTokenUrl, id: username, secret: password };
      return { mechanism, oauthBearerProvider: async () => ({ value: await fetchToken(client) }) };
    }
  }
}

const TOKEN_TIMEOUT_MS = 5_000;

interface OAuthClient {
  readonly url: string;
  readonly id: string;
  readonly secret: string;
}

/** The client credentials grant of OAuth 2.0 (RFC 6749, section 4.4). */
async function fetchToken({ url, id, secret }: OAuthClient): Promise<string> {
  const basic = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    redirect: 'error',
    signal: AbortSignal.timeout(TOKEN_TIMEOUT_MS),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`KAFKA_SASL_TOKEN_URL answered ${response.status}`);
  }
  const answer: unknown = await response.json();
  const token = (answer as { readonly access_token?: unknown } | null)?.access_token;
  if (typeof token !== 'string') throw new Error('KAFKA_SASL_TOKEN_URL answered without a token');
  return token;
}
