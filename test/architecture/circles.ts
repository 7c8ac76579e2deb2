import type { Module } from './modules.ts';

/** The circles among the project's own files, each told as the walk round it; the first met of each. */
export function circles(modules: readonly Module[]): string[] {
  const graph = new Map(modules.map(({ path, imports }) => [path, imports]));
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) walk(path, []);
  return found;
}
