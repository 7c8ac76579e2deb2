// @module-tag process
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPTION_NAMES } from '../../scripts/support/command-line.ts';
import { atLeastOne } from '../support/at-least-one.ts';
import { built, COMPILED } from '../support/process.ts';

function run(command: string, args: readonly string[], LANG: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [built(command), ...args], {
    env: { ...COMPILED, LANG },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test.each([
  ['en_GB.UTF-8', '--help', 'restore FILE [options]\n  --dry-run: check, change nothing\n'],
  ['en_GB.UTF-8', '--aide', 'restore FILE [options]\n  --dry-run: check, change nothing\n'],
  [
    'fr_FR.UTF-8',
    '--help',
    'restore FICHIER [options]\n  --essai\u00a0: vérifie, ne change rien\n',
  ],
  ['fr_FR.UTF-8', '-h', 'restore FICHIER [options]\n  --essai\u00a0: vérifie, ne change rien\n'],
])('under LANG=%s %s names the options of that language', (LANG, option, stdout) => {
  expect(run('restore', [option], LANG)).toEqual({ status: 0, stdout, stderr: '' });
});

test.each(['import', 'backup', 'restore', 'doctor', 'accounts', 'health'])(
  'the command %s names an option that it does not know, with its help',
  (command) => {
    const help = run(command, ['--help'], 'en_GB.UTF-8').stdout;
    expect(help).toMatch(new RegExp(`^${command}\\b`));
    expect(run(command, ['file', '--nothing=1'], 'en_GB.UTF-8')).toEqual({
      status: 1,
      stdout: '',
      stderr: `Unknown option: --nothing.\n${help}`,
    });
  },
);

test.each([
  [['a.csv', '--user=ana', '--utilisateur=ana'], '--utilisateur is given twice.'],
  [['a.csv', '--dry-run=yes'], '--dry-run takes no value.'],
  [['a.csv', '--user'], '--user needs a value.'],
  [['a.csv', '--user', '--dry-run'], '--user needs a value.'],
  [['a.csv', '--a-lire=rien'], '--to-read does not know “rien”: status, statut, wish, souhait.'],
])('the import explains the error in %j', (args, sentence) => {
  expect(run('import', args, 'en_GB.UTF-8')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`${sentence}\nimport FILE|- [options]\n`) as string,
  });
});

/** The documents that list the options, by language. */
const DOCUMENTS = {
  fr: ['messages/fr.json', 'README.fr.md', 'docs/running{,/*}.fr.md', 'deploy/archive.fr.md'],
  en: ['messages/en.json', 'README.md', 'docs/running{,/*}.md', 'deploy/archive.md'],
};

test.each([
  ['fr', 'en'],
  ['en', 'fr'],
] as const)('the documents in %s name no option in %s', (locale, other) => {
  const foreign = OPTION_NAMES.filter((names) => names[other] !== names[locale]);
  const exclude = locale === 'en' ? ['**/*.fr.md'] : [];
  const found = globSync(DOCUMENTS[locale], { exclude }).flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return foreign
      .map((names) => `--${names[other]}`)
      .filter((option) => new RegExp(`${option}\\b`).test(text))
      .map((option) => `${path}: ${option}`);
  });
  expect(atLeastOne(foreign)).not.toEqual([]);
  expect(found).toEqual([]);
});
