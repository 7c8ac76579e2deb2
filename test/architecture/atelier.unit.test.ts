import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LEFT_OUT } from '../../src/atelier/left-out.ts';

const UI = 'src/lib/ui/';

const components = globSync(`${UI}**/*.svelte`).map((path) =>
  path.slice(UI.length, -'.svelte'.length),
);

/** The components in the gallery, and how each is used. */
const parts = globSync('src/atelier/*.svelte').flatMap((path) =>
  Array.from(
    readFileSync(path, 'utf8').matchAll(/<Part\s+of="([^"]+)"\s+use=\{`((?:[^`\\]|\\.)*)`\}/g),
    ([, of = '', use = '']) => ({ of, use }),
  ),
);

test('each part of the vocabulary is in the workshop, or named with a reason', () => {
  const named = [...parts.map(({ of }) => of), ...Object.keys(LEFT_OUT)];
  expect(named.sort()).toEqual(components.sort());
});

test('each gallery page of a component has at most three lines of text, which name the component', () => {
  expect(parts.length).toBeGreaterThan(40);
  expect(parts.filter(({ use }) => use.split('\n').length > 3)).toEqual([]);
  const isNamed = ({ use }: (typeof parts)[number]) =>
    components.some((path) => use.includes(path.split('/').at(-1) ?? path));
  expect(parts.filter((part) => !isNamed(part))).toEqual([]);
});
