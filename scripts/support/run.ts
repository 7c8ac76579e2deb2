import { spawn } from 'node:child_process';

interface ToolRun {
  ok: boolean;
  output: string;
}

/**
 * Runs one of the project's tools on this Node; `tool` is a path below node_modules.
 *
 * @param show 'live' writes to the terminal, 'kept' returns the output
 */
export function runTool(
  tool: string,
  args: readonly string[],
  show: 'live' | 'kept',
  env: NodeJS.ProcessEnv = process.env,
): Promise<ToolRun> {
  const stdio = show === 'live' ? 'inherit' : 'pipe';
  const child = spawn(process.execPath, [`node_modules/${tool}`, ...args], {
    stdio: ['ignore', stdio, stdio],
    env,
  });
  // End the tool with the command.
  const end = () => child.kill();
  process.on('exit', end);
  let output = '';
  const keep = (chunk: Buffer) => (output += chunk.toString());
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('exit', end);
      resolve({ ok: code === 0, output });
    });
  });
}
