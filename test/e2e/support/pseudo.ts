import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildClient, makeIfStale } from '../../../scripts/support/build.ts';
import { compileMessages } from '../../../scripts/support/messages.ts';
import { readBuildSettings } from '../../../scripts/support/settings.ts';

/** The application in the pseudo language: no release has it, and no reader is offered it. */
const FOLDER = '.cache/pseudo';
const CLIENT = `${FOLDER}/client`;
export const PSEUDO_CLIENT = resolve(CLIENT);

/** Paraglide's project of the pseudo language, and the code that it makes of it. */
const PROJECT = `${FOLDER}/pseudo.inlang`;
const [WHOLE, SPLIT] = [`${FOLDER}/whole`, `${FOLDER}/split`];
export const PSEUDO_MESSAGES = resolve(WHOLE, 'messages.js');

export const [OPEN, SHUT] = ['⟦', '⟧'];

/** What is no sentence: programs read it. By its number in a list a variant's inputs. */
const KEPT = /^(?:\$schema|locale|intl_locale|\d+)$/;

const ACCENTS: ReadonlyMap<string, string> = new Map(
  Array.from('aeiouycnsrzAEIOUYCNSRZ', (letter, i) => [
    letter,
    Array.from('åéîøüýçñšřžÅÉÎØÜÝÇÑŠŘŽ')[i] ?? letter,
  ]),
);

/** How many letters a sentence of another language may have for one here. */
const LENGTH = 1.4;
const VOWEL = /[aeiouy]/i;

/** What a sentence takes from its caller stays. */
const PARTS = /(\{[^}]*\})/;

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
const pseudoMessages = (english: string): unknown =>
  JSON.parse(english, (key, value: unknown) =>
    typeof value === 'string' && !KEPT.test(key) ? pseudo(value) : value,
  );

async function compilePseudo(): Promise<void> {
  mkdirSync(PROJECT, { recursive: true });
  const english = readFileSync('messages/en.json', 'utf8');
  writeFileSync(`${FOLDER}/en.json`, JSON.stringify(pseudoMessages(english)));
  const settings = {
    baseLocale: 'en',
    locales: ['en'],
    modules: ['../../node_modules/@inlang/plugin-message-format/dist/index.js'],
    'plugin.inlang.messageFormat': { pathPattern: './en.json' },
  };
  writeFileSync(`${PROJECT}/settings.json`, JSON.stringify(settings));
  await compileMessages(PROJECT, WHOLE, SPLIT);
}

/** Builds the application in the pseudo language where its sources have changed since; it takes as long as any language. */
export async function buildPseudoIfStale(): Promise<void> {
  const settings = readBuildSettings();
  await makeIfStale({
    sources: [
      'shared/**',
      'messages/en.json',
      'src/**',
      'static/**',
      'test/e2e/support/pseudo.ts',
      'svelte.config.js',
      'tsconfig.json',
      'vite.config.ts',
      'package-lock.json',
      'scripts/support/{build,materials,messages,settings}.ts',
    ],
    made: `${CLIENT}/shell.html`,
    settings,
    make: async (id) => {
      await compilePseudo();
      await buildClient(settings, id, { locale: 'en', messages: SPLIT, folder: CLIENT });
      // The service has a page a language, and the browser asks for English.
      cpSync(join(CLIENT, 'shell.html'), join(CLIENT, 'shell.en.html'));
    },
  });
}
