import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { serve } from '../support/server.ts';

/** The examples of docs/api.md: commands, and the shown part of their last response. */
const EXAMPLES = /```sh\n([^]*?)```(?:\n\n```json\n([^]*?)```)?/g;

/** Puts each response on its own line. */
const CURL = 'curl() { "$NODE" "$CURL" "$@" && echo; }';

test('the API page’s examples give the shown responses', async () => {
  const { url } = await serve();
  const folder = temporaryFolder();
  const examples = [...readFileSync('docs/api.md', 'utf8').matchAll(EXAMPLES)].filter(
    ([, commands = '']) => commands.includes('curl'),
  );
  expect(examples.length).toBeGreaterThan(8);
  const answers: [commands: string, answer: unknown, shown: unknown][] = [];
  for (const [, commands = '', shown] of examples) {
    const { stdout } = await promisify(execFile)('bash', ['-ec', `${CURL}\n${commands}`], {
      cwd: folder,
      env: {
        ...process.env,
        LIBRARY: url,
        NODE: process.execPath,
        CURL: resolve('test/support/curl.ts'),
      },
    });
    const last = stdout.trim().split('\n').at(-1) ?? '';
    const isRefusal = shown?.includes('statusCode') === true;
    expect(stdout.includes('"statusCode"'), commands).toBe(isRefusal);
    if (shown !== undefined) answers.push([commands, JSON.parse(last), JSON.parse(shown)]);
  }
  expect(answers.length).toBeGreaterThan(4);
  for (const [commands, answer, shown] of answers)
    expect(answer, commands).toMatchObject(shown as object);
});
