// @module-tag process
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { built } from '../support/process.ts';

test('where no service answers, the command says which settings it asked by', async () => {
  // Nothing listens on the port of « discard ».
  const asked = promisify(execFile)(process.execPath, [built('health')], { env: { PORT: '9' } });
  await expect(asked).rejects.toMatchObject({
    code: 1,
    stderr: 'Rien ne répond à 127.0.0.1:9 avec ces réglages (HOST, PORT, TLS_CERT).\n',
  });
});
