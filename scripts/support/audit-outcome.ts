import { Type } from 'typebox';
import { Parse } from 'typebox/value';

const Report = Type.Object({
  vulnerabilities: Type.Record(
    Type.String(),
    Type.Object({ severity: Type.String(), range: Type.String() }),
  ),
});

const Failure = Type.Object({ message: Type.String() });

/** Parses npm's response; « – » if the registry gives none. */
export function auditOutcome(json: string): {
  readonly mark: '✓' | '✗' | '–';
  readonly lines: readonly string[];
} {
  let answer: unknown;
  try {
    answer = JSON.parse(json);
  } catch {
    return { mark: '–', lines: [`audit: not examined, npm answers « ${json.trim()} »`] };
  }
  if (Reflect.get(Object(answer), 'vulnerabilities') === undefined) {
    // A registry need not have advisories: a mirror answers 405.
    const { message } = Parse(Failure, answer);
    return { mark: '–', lines: [`audit: not examined, ${message}`] };
  }
  const found = Object.entries(Parse(Report, answer).vulnerabilities);
  return {
    mark: found.length === 0 ? '✓' : '✗',
    lines: [
      ...found.map(([name, { severity, range }]) => `✗ ${name} ${range}: ${severity}`),
      `audit: ${String(found.length)} packages with an advisory`,
    ],
  };
}
