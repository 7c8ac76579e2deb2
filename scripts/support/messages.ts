import files from 'node:fs';
import fs from 'node:fs/promises';

/** The messages as programs and tests read them. */
export const MESSAGES = 'src/lib/paraglide';

/** The messages as a build of the application reads them (vite.config.ts). */
export const SPLIT_MESSAGES = '.cache/messages';

/** Paraglide's own expression for builds of one language: vite.config.ts defines it, and the other languages fall out. */
const STATIC_LOCALE = '/** @type {any} */ (globalThis).__PARAGLIDE_STATIC_LOCALE__';

/**
 * Makes code of the messages of an inlang project, in two folders.
 *
 * @param whole gets a module a language: programs and tests would open a module a message one by one
 * @param split gets a module a message, so that a screen of a build loads the sentences that it shows
 */
export async function compileMessages(path: string, whole: string, split: string): Promise<void> {
  // Half a second, which only a command that compiles waits for.
  const { compileProject, writeOutput } = await import('@inlang/paraglide-js');
  const { loadProjectFromDirectory } = await import('@inlang/sdk');
  const project = await loadProjectFromDirectory({ path, fs: files });
  const common = { strategy: ['baseLocale' as const], emitReadme: false };
  const outputs = [
    {
      directory: whole,
      output: await compileProject({
        project,
        compilerOptions: { ...common, outputStructure: 'locale-modules' },
      }),
    },
    {
      directory: split,
      output: await compileProject({
        project,
        compilerOptions: { ...common, experimentalStaticLocale: STATIC_LOCALE },
      }),
    },
  ];
  await project.close();
  for (const output of outputs) await writeOutput({ ...output, cleanDirectory: true, fs });
}
