import { type Environment, parseConfig } from '@tollgate/config';
import type { Clock } from '@tollgate/core';
import { allInOneConfigSchema } from '../../../config';
import { planProcess } from '../../../start/plan';
import type { CommandOutcome } from '../../outcome';
import { checkDisk } from './disk';
import { checkCurrency, checkKafka, checkRedis, checkStore } from './engines';
import { type Finding, failure, ok, warning } from './finding';
import { checkProduct } from './product';
import { checkSealing } from './sealing';

export interface DoctorRequest {
  /** The product's public address, without a path. */
  readonly url: string;
  readonly json: boolean;
  readonly clock: Clock;
}

/**
 * Looks at everything that a start and a healthy run depend on, changes nothing but the health of
 * channels that it asks about, and says what to mend. Exits with 0 when nothing failed; warnings
 * are told and do not fail.
 */
export async function examine(
  { url, json, clock }: DoctorRequest,
  environment: Environment,
): Promise<CommandOutcome> {
  const configuration = checkConfiguration(environment);
  const findings = [configuration];
  if (configuration.state !== 'failure') {
    const config = parseConfig(allInOneConfigSchema, environment);
    const engines = [
      checkStore(config, environment, clock),
      checkCurrency(environment),
      checkSealing(environment),
      checkKafka(config),
      checkRedis(config, clock),
    ];
    findings.push(checkDisk(config.dataDirectory, clock), ...(await Promise.all(engines)));
  }
  findings.push(...(await checkProduct(url, environment)));
  const failed = findings.some(({ state }) => state === 'failure');
  const message = json ? `${JSON.stringify({ ok: !failed, findings })}\n` : toText(findings);
  return { exitCode: failed ? 1 : 0, message };
}

function checkConfiguration(environment: Environment): Finding {
  const verdict = planProcess(environment);
  if (!verdict.ok) {
    return failure('settings', verdict.problems.join('; '), 'set these environment variables');
  }
  const { unknownNames } = verdict.plan;
  if (unknownNames.length === 0) return ok('settings', 'valid');
  return warning('settings', unknownNames.join('; '), 'correct the names, or remove them');
}

const MARKS: Readonly<Record<Finding['state'], string>> = {
  ok: 'ok      ',
  warning: 'WARNING ',
  failure: 'FAILURE ',
  skipped: '-       ',
};

function toText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  return findings
    .map(({ state, subject, seen, remedy }) => {
      const line = `${MARKS[state]} ${subject.padEnd(width)}  ${seen}\n`;
      return remedy === undefined ? line : `${line}${' '.repeat(width + 11)}${remedy}\n`;
    })
    .join('');
}
