import files from 'node:fs';
import fs from 'node:fs/promises';

/** The messages as programs and tests read them. */
export const MESSAGES = 'src/lib/paraglide';

/** The messages as a build of the application reads them (vite.config.ts). */
export const SPLIT_MESSAGES = '.cache/messages';

/**
 * Paraglide's own expression for builds of one language: vite.config.ts defines it, so that the other languages are
 * removed.
 */
const STATIC_LOCALE = '/** @type {any} */ (globalThis).__PARAGLIDE_STATIC_LOCALE__';

/**
 * Compiles the messages of an inlang project into two folders.
 *
 * @param whole gets one module per language, since programs and tests would open a module per message one by one
 * @param split gets one module per message, so that a screen loads only its own sentences
 */
export async function compileMessages(path: string, whole: string, split: string): Promise<void> {
  // Loading takes half a second, so only do it to compile.
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
