import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeIfStale } from '../../../scripts/support/build.ts';
import { runTool } from '../../../scripts/support/run.ts';
import { readBuildSettings } from '../../../scripts/support/settings.ts';

/** Where Paraglide has written the sentences (`scripts/launch.mjs`), and those of the pseudo language beside them. */
const MESSAGES = resolve('src/lib/paraglide/messages');
const NAME = 'pseudo';
export const PSEUDO_MESSAGES = `${MESSAGES}/${NAME}.js`;

/** The application in the pseudo language: no release has it, and no reader is offered it. */
const FOLDER = '.cache/pseudo';
export const PSEUDO_CLIENT = resolve(FOLDER);

export const [OPEN, SHUT] = ['⟦', '⟧'];

/** What is no sentence: programs read it. */
const KEPT = /^export const (?:locale|intl_locale) /;

const ACCENTS: ReadonlyMap<string, string> = new Map(
  Array.from('aeiouycnsrzAEIOUYCNSRZ', (letter, i) => [
    letter,
    Array.from('åéîøüýçñšřžÅÉÎØÜÝÇÑŠŘŽ')[i] ?? letter,
  ]),
);

/** How many letters a sentence of another language may have for one here. */
const LENGTH = 1.4;
const VOWEL = /[aeiouy]/i;

/** The text of a template: what it takes from its caller stays, and so do escapes. */
const PARTS = /(\$\{[^}]*\}|\\.)/s;

/**
 * A sentence as no language has it: it can be read, is as long as in a long language, shows whether it is whole, and
 * that it was none of the code's.
 */
export function pseudo(sentence: string): string {
  const parts = sentence.split(PARTS);
  const said = parts.filter((_, i) => i % 2 === 0).join('');
  if (!/\p{L}/u.test(said)) return sentence;
  let lacking = 0;
  const longer = (letter: string): string => {
    lacking += LENGTH - 1;
    const more = VOWEL.test(letter) ? Math.min(2, Math.floor(lacking)) : 0;
    lacking -= more;
    return (ACCENTS.get(letter) ?? letter).repeat(1 + more);
  };
  const text = parts.map((part, i) => (i % 2 === 0 ? Array.from(part, longer).join('') : part));
  return `${OPEN}${text.join('')}${SHUT}`;
}

/**
 * The pseudo language made of English: whatever `Intl` writes is English, so that no French of the code is taken for a
 * day or a number, and what is cut was never seen in English either.
 */
export const pseudoModule = (english: string): string =>
  english
    .split(/(?=^export const )/m)
    .map((message) =>
      KEPT.test(message)
        ? message
        : message.replace(
            /\(`((?:[^`\\]|\\.)*)`\)/gs,
            (_, text: string) => `(\`${pseudo(text)}\`)`,
          ),
    )
    .join('');

export function writePseudoMessages(): void {
  writeFileSync(PSEUDO_MESSAGES, pseudoModule(readFileSync(`${MESSAGES}/en.js`, 'utf8')));
}

/** Builds the application in the pseudo language where its sources have changed since; it takes as long as any language. */
export async function buildPseudoIfStale(): Promise<void> {
  writePseudoMessages();
  mkdirSync(FOLDER, { recursive: true });
  const settings = readBuildSettings();
  await makeIfStale({
    sources: [
      ...['shared/**', 'messages/en.json', 'src/**', 'static/**', 'test/e2e/support/pseudo.ts'],
      ...['svelte.config.js', 'vite.config.ts', 'package-lock.json'],
    ],
    made: `${FOLDER}/shell.html`,
    settings,
    make: async (id) => {
      const language = { BUILD_LOCALE: 'en', BUILD_MESSAGES: NAME, BUILD_FOLDER: FOLDER };
      const env = { ...process.env, ...settings, ...language };
      const { ok, output } = await runTool(
        'vite/bin/vite.js',
        ['build', '--logLevel=warn'],
        'kept',
        { ...env, BUILD_ID: id, NODE_ENV: 'production' },
      );
      if (!ok) throw new Error(`The pseudo language could not be built.\n${output}`);
    },
  });
}
