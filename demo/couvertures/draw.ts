import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { COMICS, DESIGNS, HEIGHT, WIDTH, type Palette, type Words } from './designs.ts';

const PALETTES: readonly Palette[] = [
  { ground: '#f3e9d8', ink: '#22303c', strong: '#b5482a', soft: '#e3b566' },
  { ground: '#e8efe6', ink: '#1f3a34', strong: '#3f7d5e', soft: '#c9a24b' },
  { ground: '#f7f1ea', ink: '#3b1f2b', strong: '#8c2f4b', soft: '#e2a59a' },
  { ground: '#e6eef5', ink: '#16263f', strong: '#2f5d9a', soft: '#f0c36a' },
  { ground: '#fdf3df', ink: '#2b2118', strong: '#d0782a', soft: '#7fa8a0' },
  { ground: '#efe9f4', ink: '#2a1f45', strong: '#6a4a9c', soft: '#e0a84f' },
  { ground: '#f4efe6', ink: '#20242b', strong: '#4a5a66', soft: '#c2b28a' },
  { ground: '#fbeee6', ink: '#4a1d14', strong: '#c23b22', soft: '#f2b880' },
  { ground: '#e9f1f0', ink: '#0f3b45', strong: '#1f7a85', soft: '#ef9f76' },
];

/** Draws a cover for a title as JPEG, always the same one. */
export async function drawCover(words: Words, kind: 'book' | 'comic' = 'book'): Promise<Buffer> {
  const random = numbersOf(`${words.titre} ${words.auteur}`);
  const palette = pick(PALETTES, random());
  const design = pick(kind === 'comic' ? COMICS : DESIGNS, random());
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${design(words, palette, random)}</svg>`;
  return sharp(Buffer.from(svg))
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 84 })
    .toBuffer();
}

function pick<T>(some: readonly T[], at: number): T {
  const picked = some[Math.floor(at * some.length)] ?? some[0];
  if (picked === undefined) throw new Error('Nothing to pick from');
  return picked;
}

/** A generator of numbers below one, seeded by a text. */
function numbersOf(text: string): () => number {
  let state = createHash('sha256').update(text).digest().readUInt32BE();
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
