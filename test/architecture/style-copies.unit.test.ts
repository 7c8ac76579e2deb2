import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const read = (path: string): string => readFileSync(path, 'utf8');

/** Everything that a pattern's group captures in a file. */
const captured = (path: string, pattern: RegExp): string[] =>
  [...read(path).matchAll(pattern)].map(([, found = '']) => found);

/** The values of a property in `tokens.css`, the light theme's first. */
const token = (name: string): string[] =>
  captured('src/styles/tokens.css', new RegExp(String.raw`^ +--${name}: (.+);$`, 'gm'));

test('each width in media.ts is one of the style sheets', () => {
  const widths = captured('src/lib/ui/media.ts', /'min-width: (\w+)'/g);
  expect(widths.length).toBeGreaterThan(0);
  const styles = globSync('src/**/*.{css,svelte}').map(read).join('');
  expect(widths.filter((width) => !styles.includes(`@media (width >= ${width})`))).toEqual([]);
});

test.each([
  ['row', 'src/lib/ui/VirtualList.svelte', /rowHeight = ([\d.]+)/g],
  ['row-livre', 'src/lib/livres/LivreList.svelte', /rowHeight=\{([\d.]+)\}/g],
  ['row-text', 'src/routes/auteurs/+page.svelte', /ROW_TEXT = ([\d.]+)/g],
])('rows of a long list are as high as --%s', (name, path, pattern) => {
  const heights = captured(path, pattern).map((height) => `calc(${height} * var(--list-rem))`);
  expect(heights).toEqual(token(name));
});

test('the end of a page keeps the room of foot.ts', () => {
  const ofFrame = /--bar: ([1-9][\d.]*)rem;/g;
  const rooms = captured('src/lib/frame/Frame.svelte', ofFrame);
  expect(rooms).toHaveLength(1);
  expect(captured('src/lib/ui/foot.ts', /ROOM_REM = ([\d.]+)/g)).toEqual(rooms);
});

describe('colours outside of the style sheets', () => {
  test.each([
    ['ink', 'INK'],
    ['soft', 'SOFT'],
    ['paper', 'PAPER'],
    ['accent', 'ACCENT'],
  ])('the picture of a year has the light --%s', (name, constant) => {
    const pattern = new RegExp(`^const ${constant} = '(.+)';$`, 'gm');
    expect(captured('src/lib/lectures/year-picture.ts', pattern)).toEqual([token(name)[0]]);
  });

  test('the window around the application is --paper', () => {
    expect(captured('src/app.html', /name="theme-color" content="(.+?)"/g)).toEqual(token('paper'));
    const [light] = token('paper');
    expect(captured('static/manifest.webmanifest', /_color": "(.+)"/g)).toEqual([light, light]);
  });
});

test('each class that an element is given has a rule', () => {
  const components = globSync('src/**/*.svelte').map(read);
  const classesOf = (style: string) =>
    [...style.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name);
  const everywhere = [
    ...globSync('src/**/*.css').map(read).flatMap(classesOf),
    ...components.flatMap((text) => text.match(/:global\([^)]*\)/g) ?? []).flatMap(classesOf),
  ];
  const bare = components.flatMap((text) => {
    const ruled = new Set([...everywhere, ...classesOf(text.split('<style>')[1] ?? '')]);
    return [...text.matchAll(/ class="([^"]+)"/g)]
      .flatMap(([, names = '']) => names.replace(/\S*\{[^}]*\}\S*/g, '').split(/\s+/))
      .filter((name) => name !== '' && !ruled.has(name));
  });
  expect(components.length).toBeGreaterThan(0);
  expect(bare).toEqual([]);
});

test('there are as many cloths as the jackets take', () => {
  const [count] = captured('src/lib/format/cloth.ts', /CLOTHS = (\d+)/g);
  const cloths = captured('src/styles/cloths.css', /^\.cloth-(\d+) \{/gm);
  expect(cloths).toEqual(Array.from({ length: Number(count) }, (_, index) => String(index)));
});
