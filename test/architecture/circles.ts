import type { Module } from './modules.ts';

type Importer = Pick<Module, 'path' | 'imports'>;

/** The import cycles of the project's files, each as its path. */
export function circles(modules: readonly Importer[]): string[] {
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

/** Folders of the client that import each other, as « auteurs ↔ livres ». */
export function mutualClientFolders(modules: readonly Module[]): string[] {
  const folder = (path: string) => /^src\/lib\/([\w-]+)\//.exec(path)?.[1];
  const edges = new Set<string>();
  for (const { path, imports } of modules) {
    const from = folder(path);
    if (from === undefined) continue;
    for (const to of imports.map(folder)) if (to !== undefined) edges.add(`${from} ${to}`);
  }
  return [...edges]
    .map((edge) => edge.split(' '))
    .filter(([from = '', to = '']) => from < to && edges.has(`${to} ${from}`))
    .map((pair) => pair.join(' ↔ '))
    .sort();
}

/** The server's folders and top-level files as modules of one graph, to find cycles between them. */
export function serverRooms(modules: readonly Importer[]): Importer[] {
  const room = (path: string) =>
    /^server\/(?:(?:plumbing|subjects|start)\/)?[\w-]+/.exec(path)?.[0];
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of modules) {
    const from = room(path);
    if (from === undefined) continue;
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const target of imports.map(room))
      if (target !== undefined && target !== from) targets.add(target);
  }
  return [...graph].map(([path, imports]) => ({ path, imports: [...imports] }));
}
