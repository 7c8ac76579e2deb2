import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { KNOWN } from './known.ts';

interface PlayedScenario {
  readonly file: string;
  readonly title: string;
  readonly hasPassed: boolean;
}

const Report = Type.Object({
  testResults: Type.Array(
    Type.Object({
      name: Type.String(),
      status: Type.String(),
      assertionResults: Type.Array(Type.Object({ fullName: Type.String(), status: Type.String() })),
    }),
  ),
});

export function readPlayed(path: string): PlayedScenario[] {
  const { testResults } = Parse(Report, JSON.parse(readFileSync(path, 'utf8')));
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative('.', name);
    const played = assertionResults.map((each) => ({
      file,
      title: each.fullName.trim(),
      hasPassed: each.status === 'passed',
    }));
    const isUnlisted = status !== 'passed' && played.every(({ hasPassed }) => hasPassed);
    return isUnlisted
      ? [...played, { file, title: 'the file as a whole', hasPassed: false }]
      : played;
  });
}

export function judge(played: readonly PlayedScenario[], list = KNOWN) {
  const lackOf = ({ file, title }: PlayedScenario) =>
    list.find((lack) => lack.file === file && lack.title === title);
  const known = played.flatMap((each) => (each.hasPassed ? [] : (lackOf(each) ?? [])));
  const faults = played
    .filter((each) => each.hasPassed === (lackOf(each) !== undefined))
    .map(({ file, title, hasPassed }) =>
      hasPassed ? `${file}: « ${title} » passes, and is expected to fail` : `${file}: « ${title} »`,
    );
  const files = new Set(played.map(({ file }) => file));
  const gone = list
    .filter(({ file, title }) => files.has(file) && !played.some((each) => each.title === title))
    .map(({ file, title }) => `${file}: « ${title} » is expected to fail, and does not exist`);
  return { known, faults: [...faults, ...gone] };
}
