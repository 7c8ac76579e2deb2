// Makes what the type check needs and git does not keep: the messages as functions, Kit's types.
import { spawnSync } from 'node:child_process';

const commandes = [
  ['paraglide-js', 'compile', '--project', './project.inlang', '--outdir', './src/lib/paraglide'],
  ['svelte-kit', 'sync'],
];

for (const [outil, ...options] of commandes) {
  const { status } = spawnSync(`node_modules/.bin/${outil}`, options, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
