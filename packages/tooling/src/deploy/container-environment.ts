import type { Environment } from '@tollgate/config';
import { loadInside } from '../reference/collect-configuration';

/** The part of the all-in-one process that decides and checks, as its tests know it. */
interface Plan {
  planProcess(environment: Environment): {
    readonly ok: boolean;
    readonly problems?: readonly string[];
    readonly plan?: { readonly unknownNames: readonly string[] };
    readonly unknownNames?: readonly string[];
  };
}

/** Everything that the product would say against starting with this environment, as `--validate`. */
export function problemsOf(environment: Environment): readonly string[] {
  const { planProcess } = loadInside<Plan>('@tollgate/all-in-one', 'start/plan');
  const { problems = [], plan, unknownNames = [] } = planProcess(environment);
  return [...problems, ...unknownNames, ...(plan?.unknownNames ?? [])];
}

/** Values that fit, for what is kept in Secrets and in an .env file. */
export const SECRET_VALUES: Environment = {
  TOLLGATE_SERVICE_SECRET: 'a service secret for tests of deploy',
  TOLLGATE_SEALING_KEYS: `k1:${'A'.repeat(44)}`,
  TOLLGATE_KEY_PEPPERS: `p1:${'A'.repeat(44)}`,
  MONGODB_URI: 'mongodb://mongo.example/tollgate?replicaSet=rs0',
  REDIS_URL: 'redis://redis.example',
  TOLLGATE_INIT_OPERATOR_EMAIL: 'operator@example.test',
  TOLLGATE_INIT_OPERATOR_PASSWORD: 'a password for tests',
  TOLLGATE_INIT_CHANNEL_TYPE: 'openai',
  TOLLGATE_INIT_CHANNEL_BASE_URL: 'https://vendor.example/v1',
  TOLLGATE_INIT_CHANNEL_CREDENTIAL: 'a credential for tests',
  TOLLGATE_INIT_CHANNEL_MODELS: 'small:0.50:1.50',
  ANTHROPIC_API_KEY: 'another credential for tests',
  GEMINI_API_KEY: 'a third credential for tests',
  TOLLGATE_OAUTH_PROVIDERS: '[]',
};
